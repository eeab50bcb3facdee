/** The page at `/`. Addresses are relative: a proxy may put all of it under a path. */
import { type HomePageTexts, homePageTexts } from './homePageTexts.ts';

/** `here`: for a person at the machine of the service, whose calls go to the sandbox. */
export const homePage = (language: keyof typeof homePageTexts, here: boolean): string => {
  const says = homePageTexts[language];
  return `<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${here ? says.title : 'Ramal'} · Ramal</title>
<link rel="icon" href="home/icon.svg">
<link rel="stylesheet" href="home/home.css">
${here ? '<script src="home/home.js" defer></script>\n' : ''}</head>
<body>
<main>
<p class="brand"><img src="home/icon.svg" alt="" width="20" height="20"> Ramal</p>
<h1>${here ? says.title : 'Ramal'}</h1>
<p class="lead">${here ? says.lead : says.leadOfOthers}</p>
${here ? ofThisMachine(says) : ''}<section>
<h2>${says.links}</h2>
<ul>
<li><a href="docs">${says.reference}</a></li>
<li><a href="docs/guides/first-call.md">${says.first}</a></li>
<li><a href="docs/guides">${says.guides}</a></li>
<li><a href="admin">${says.console}</a></li>
<li><a href="admin/api">${says.administration}</a></li>
</ul>
</section>
</main>
</body>
</html>
`;
};

const ofThisMachine = (says: HomePageTexts): string => `<noscript><p>${says.noScript}</p></noscript>
<div class="columns">
<form id="place">
<h2>${says.place}</h2>
<label for="text">${says.says}</label>
<textarea id="text" rows="3" maxlength="500" required>${says.sentence}</textarea>
<fieldset><legend>${says.does}</legend>
${Object.entries(says.deeds).map(deed).join('\n')}
</fieldset>
<button>${says.call}</button>
<p id="told" role="status"></p>
</form>
<section>
<h2>${says.last}</h2>
<ul id="last" class="rows"></ul>
</section>
</div>
<section>
<h2>${says.runs}</h2>
<p id="runs"></p>
<ul id="checks" class="rows"></ul>
</section>
<section>
<h2>${says.token}</h2>
<p>${says.tokenIs}</p>
<details><summary>${says.show}</summary>
<pre tabindex="0"><code id="token"></code></pre>
<pre tabindex="0"><code id="command"></code></pre>
</details>
</section>
`;

const deed = ([digits, does]: [string, string], nth: number): string =>
  `<label class="deed"><input type="radio" name="deed" value="119876500${digits}"${nth === 0 ? ' checked' : ''}>` +
  `<span>${does}</span><code>11 98765-00${digits}</code></label>`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="#5b74f0" stroke-width="2" stroke-linecap="round"><path d="M5 3v14M5 12c0-4 9-2 9-6"/><circle cx="14" cy="5" r="2.6" fill="#5b74f0" stroke="none"/></svg>
`;
