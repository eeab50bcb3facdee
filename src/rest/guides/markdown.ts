/** Our pages as HTML: the part of Markdown that they are written in. Whatever stands in a page is text, never markup. */

/** Where a link leads, as an address; undefined: nowhere that is served. */
export type ResolveMarkdownLink = (href: string) => string | undefined;

/** The whole of a page. */
export const markdownToHtml = (text: string, linkTo: ResolveMarkdownLink): string =>
  blocksOf(text.split('\n'), linkTo).join('\n');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const marker = /^( *)(?:[-*]|\d+\.) +/;
const fence = /^ *```/;
const heading = /^(#{1,6}) +(.+)$/;
const rule = /^\|[-:| ]+\|$/;

/** Takes lines from the front and answers what they are. */
type Reader = (lines: string[], linkTo: ResolveMarkdownLink) => string;

const readerOf = ([line = '', next = '']: readonly string[]): Reader => {
  if (fence.test(line)) return readFence;
  if (heading.test(line)) return readHeading;
  if (line.startsWith('|') && rule.test(next)) return readTable;
  return marker.test(line) ? readList : readParagraph;
};

const blocksOf = (lines: string[], linkTo: ResolveMarkdownLink): string[] => {
  const blocks: string[] = [];
  for (; lines.length > 0;)
    if (lines[0]!.trim() === '') lines.shift();
    else blocks.push(readerOf(lines)(lines, linkTo));
  return blocks;
};

const readFence: Reader = (lines) => {
  const indent = /^ */.exec(lines.shift()!)![0];
  const end = lines.findIndex((line) => line.trim() === '```');
  const body = lines.splice(0, end < 0 ? lines.length : end);
  lines.shift();
  const text = body.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n');
  return `<pre><code>${escaped(text)}</code></pre>`;
};

const readHeading: Reader = (lines, linkTo) => {
  const [, { length: level } = '', text = ''] = heading.exec(lines.shift()!)!;
  return `<h${level} id="${escaped(anchorOf(text))}">${inline(text, linkTo)}</h${level}>`;
};

/** As GitHub names it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const readTable: Reader = (lines, linkTo) => {
  const head = rowOf(lines.shift()!, 'th', linkTo);
  lines.shift();
  const rows = [];
  while (lines[0]?.startsWith('|')) rows.push(rowOf(lines.shift()!, 'td', linkTo));
  return `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`;
};

/** A bar behind a backslash is one of the cell. */
const rowOf = (line: string, cell: 'th' | 'td', linkTo: ResolveMarkdownLink): string => {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/);
  const shown = cells.map(
    (text) => `<${cell}>${inline(text.trim().replaceAll('\\|', '|'), linkTo)}</${cell}>`,
  );
  return `<tr>${shown.join('')}</tr>`;
};

const readList: Reader = (lines, linkTo) => {
  const [, indent = ''] = marker.exec(lines[0]!)!;
  const tag = /^ *\d/.test(lines[0]!) ? 'ol' : 'ul';
  const items = [];
  while (marker.exec(lines[0] ?? '')?.[1] === indent) items.push(readItem(lines, linkTo));
  return `<${tag}>${items.join('')}</${tag}>`;
};

/** Everything that stands further in than its marker is part of an item; so are the lines of its own paragraph. */
const readItem: Reader = (lines, linkTo) => {
  const [{ length: width }] = marker.exec(lines[0]!)!;
  const own = [lines.shift()!.slice(width)];
  const isIn = (line: string | undefined) => line !== undefined && /^ */.exec(line)![0].length >= width;
  while (lines.length > 0) {
    const [line, next] = lines as [string, string | undefined];
    if (!isIn(line) && !(line.trim() === '' && isIn(next))) break;
    own.push(lines.shift()!.slice(width));
  }
  const blocks = blocksOf(own, linkTo);
  // The text of an item is no paragraph of its own.
  return `<li>${blocks.join('\n').replace(/^<p>([\s\S]*?)<\/p>/, '$1')}</li>`;
};

const readParagraph: Reader = (lines, linkTo) => {
  const own = [lines.shift()!];
  while (lines.length > 0 && lines[0]!.trim() !== '' && readerOf(lines) === readParagraph)
    own.push(lines.shift()!);
  return `<p>${inline(own.join('\n'), linkTo)}</p>`;
};

/** Code is put aside meanwhile: nothing within it means anything. */
const inline = (text: string, linkTo: ResolveMarkdownLink): string => {
  const codes: string[] = [];
  const aside = text
    .replaceAll('\0', '')
    .replaceAll(/`([^`]+)`/g, (_, code: string) => `\0${codes.push(code) - 1}\0`);
  return escaped(aside)
    .replaceAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, says: string, href: string) => imageOf(says, linkTo(href)))
    .replaceAll(/\[((?:[^\]]|\](?!\())+)\]\(([^)\s]+)\)/g, (_, says: string, href: string) =>
      anchor(says, linkTo(href)),
    )
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(^|[\s(])\*([^*\s][^*]*)\*/g, '$1<em>$2</em>')
    .replaceAll(/\0(\d+)\0/g, (_, nth: string) => `<code>${escaped(codes[Number(nth)]!)}</code>`);
};

const imageOf = (says: string, address: string | undefined): string =>
  address === undefined ? says : `<img src="${address}" alt="${says}">`;

const anchor = (says: string, address: string | undefined): string =>
  address === undefined ? says : `<a href="${address}">${says}</a>`;
