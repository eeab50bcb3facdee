/** What our pages point at: links to each other, and files that they name. */
import { dirname, join, normalize } from 'node:path';

export interface Page {
  /** From the root of the repository. */
  path: string;
  text: string;
}

type Exists = (path: string) => boolean;

/** Links of a page that lead nowhere, as `page: link`. */
export function brokenLinks(page: Page, exists: Exists, read: (path: string) => string): string[] {
  const text = withoutCode(page.text);
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/i.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#', 2);
      const target = file === '' ? page.path : normalize(join(dirname(page.path), file));
      if (!exists(target) && file !== '') return true;
      return anchor !== undefined && !anchorsOf(file === '' ? page.text : read(target)).includes(anchor);
    })
    .map((link) => `${page.path}: ${link}`);
}

/** Files of this repository that a page names in code, and that are not there. Patterns are passed over. */
export function missingFiles({ path, text }: Page, exists: Exists): string[] {
  return [...text.matchAll(/`((?:src|machines|test|docs|prisma|docker)\/[\w./-]+)`/g)]
    .map(([, file]) => file!)
    .filter((file) => !exists(normalize(file)))
    .map((file) => `${path}: ${file}`);
}

/** Headings as GitHub names them. */
const anchorsOf = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ +(.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

const withoutCode = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
