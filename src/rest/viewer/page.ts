/** The page at `/docs` and its script. Addresses are relative: a proxy may put all of it under a path. */

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ramal reference</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/viewer.js" type="module"></script>
</head>
<body>
<p><a href="docs">Operations</a> · <a href="docs?api=admin">Administration</a> · <a href="docs/guides">Guides, and all other pages</a></p>
<div id="viewer"></div>
<noscript>This page needs JavaScript. The same stands in <a href="openapi.json">openapi.json</a> and <a href="admin/openapi.json">admin/openapi.json</a>.</noscript>
</body>
</html>
`;

/** What is tried out goes to wherever the page came from: nothing else may be reached from it. */
export const openApiViewerScript = `const root = new URL('.', location.href);
const isAdmin = new URLSearchParams(location.search).get('api') === 'admin';
const answer = await fetch(new URL(isAdmin ? 'admin/openapi.json' : 'openapi.json', root));
const spec = await answer.json();
spec.servers = [{ url: isAdmin ? new URL('admin/api', root).href : root.href.replace(/\\/$/, '') }];
SwaggerUIBundle({
  spec,
  domNode: document.getElementById('viewer'),
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;
