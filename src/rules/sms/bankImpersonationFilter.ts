/**
 * The filter of bank impersonation (spec 7, code 270): a text that names a bank and says where to go or whom to ring,
 * unless it is one of the texts that the account had approved.
 */
import { bankNames, bankNamesMatchedInsideWords } from './bankNames.ts';

/** Whether a text names a bank and carries a link or a telephone number. */
export const looksLikeABank = (text: string): boolean =>
  namesABank(text) && (hasLink(text) || hasPhone(text));

/**
 * Whether a text is what a model says, from its first to its last character; `*` stands for anything, case, accents and
 * the width of spaces do not matter. Letters that only look alike are others.
 */
export const matchesApprovedText = (text: string, model: string): boolean => {
  const [first = '', ...pieces] = plain(model).split('*');
  const said = plain(text);
  const last = pieces.pop();
  if (last === undefined) return said === first;
  if (!said.startsWith(first)) return false;
  let from = first.length;
  for (const piece of pieces) {
    const found = said.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return said.length - last.length >= from && said.endsWith(last);
};

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{Mark}+/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim(); // prettier-ignore

/** Invisible characters, with which names and links are broken up. */
const invisible = /[\p{Cf}\u034f\u115f\u1160\u3164]/gu;

/** Letters and digits that look like a Latin letter, after accents and case are gone. `i`, `l` and `1` are one. */
const lookAlikes: Readonly<Record<string, string>> = {
  а: 'a', α: 'a', '4': 'a', '@': 'a', в: 'b', β: 'b', '8': 'b', с: 'c', ϲ: 'c', ԁ: 'd', е: 'e', ε: 'e', '3': 'e',
  є: 'e', ɡ: 'g', һ: 'h', н: 'h', η: 'n', і: 'i', ι: 'i', ı: 'i', '1': 'i', '|': 'i', '!': 'i', ӏ: 'i',
  ј: 'j', к: 'k', κ: 'k', м: 'm', μ: 'm', ո: 'n', ν: 'v', о: 'o', ο: 'o', σ: 'o', '0': 'o', ø: 'o', р: 'p', ρ: 'p',
  ѕ: 's', '5': 's', $: 's', ß: 's', т: 't', τ: 't', '7': 't', υ: 'u', ц: 'u', ѵ: 'v', ѡ: 'w', ω: 'w', х: 'x', χ: 'x',
  у: 'y', γ: 'y', ζ: 'z',
}; // prettier-ignore

/** What a text looks like: words of plain letters, one space between them and around. */
const skeleton = (text: string): string => {
  const letters = text
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(invisible, '')
    .toLowerCase()
    .replace(/[^a-z]/gu, (sign) => lookAlikes[sign] ?? sign);
  return ` ${letters
    .replace(/l/g, 'i')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `;
};

/** Letters that stand alone, side by side, are read as the word they spell. */
const spelledOut = (words: string): string => words.replace(/(?<= [a-z0-9]) (?=[a-z0-9] )/g, '');

const asWords = bankNames.map((name) => skeleton(name));
const anywhere = bankNamesMatchedInsideWords.map((name) => skeleton(name).trim());

const namesABank = (text: string): boolean => {
  const words = skeleton(text);
  return [words, spelledOut(words)].some(
    (said) => asWords.some((name) => said.includes(name)) || anywhere.some((name) => said.includes(name)),
  );
};

const endings =
  'com|net|org|br|io|me|ly|link|site|online|app|info|click|xyz|top|shop|store|club|live|vip|biz|co|cc|tk|ml|ga|cf|gq|' +
  'ru|cn|page|dev|web|digital|website|space|fun|icu|gl|to|us|eu|pt|uk|tv|gg|su|pw|ws|host|tech|bank|pro|one|bio|center';
const address = new RegExp(`[a-z0-9-]\\.(?:${endings})(?![a-z0-9-])`, 'u');
const scheme = /\b(?:https?|hxxps?|whatsapp|tel):|\bwww\./;
/** A dot inside a word, and a path after it, whatever the ending. */
const path = /[\p{L}\p{N}]\.[\p{L}\p{N}-]{2,}\/\S/u;
const numeric = /(?<!\d|\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)/;

const hasLink = (text: string): boolean => {
  const said = text
    .normalize('NFKC')
    .replace(invisible, '')
    .toLowerCase()
    .replace(/[[({]\s*\.\s*[\])}]/g, '.');
  return [scheme, address, path, numeric].some((link) => link.test(said));
};

/** 0800…, 4004…, a number of eight or nine digits with or without its area and country. */
const phone =
  /(?<!\d)(?:0[3589]00[\s.-]?\d{3}[\s.-]?\d{3,4}|(?:\+?55[\s.-]?)?(?:\(?0?[1-9]\d\)?[\s.-]?)?(?:9[\s.-]?)?[2-9]\d{3}[\s.-]?\d{4})(?!\d)/;

const hasPhone = (text: string): boolean =>
  phone.test(
    text
      .normalize('NFKC')
      .replace(invisible, '')
      // The letter O among digits.
      .replace(/[oO]+/g, (letters, at: number, all: string) =>
        isAmongDigits(all, at, at + letters.length) ? '0'.repeat(letters.length) : letters,
      ),
  );

/** Whether a digit stands before or after, with one sign between at most. */
const isAmongDigits = (text: string, begin: number, end: number): boolean =>
  /\d[\s.-]?$/.test(text.slice(Math.max(0, begin - 2), begin)) || /^[\s.-]?\d/.test(text.slice(end, end + 2));
