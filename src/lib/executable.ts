/** Programs, by their content: what a file is called and what its sender says of it count for nothing (code 205). */

/** How many first bytes it takes to tell. */
export const EXECUTABLE_SNIFF_BYTES = 4096;

const hasPrefix = (head: Buffer, ...bytes: number[]): boolean => bytes.every((byte, at) => head[at] === byte);

/** The old DOS header, which every Windows program begins with, has zero bytes; a text that begins with MZ has none. */
const isWindowsProgram = (head: Buffer): boolean =>
  hasPrefix(head, 0x4d, 0x5a) && head.subarray(2, 64).includes(0);

const machMagics: readonly (readonly number[])[] = [
  [0xfe, 0xed, 0xfa, 0xce],
  [0xfe, 0xed, 0xfa, 0xcf],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
];

/** Also the beginning of a Mach-O file for several processors. */
const isJavaClass = (head: Buffer): boolean => hasPrefix(head, 0xca, 0xfe, 0xba, 0xbe);

/** `#!` and the path of an interpreter; `#!AMR` is the sound of old telephones. */
const isScript = (text: string): boolean => /^(?:\u00ef\u00bb\u00bf)?#! *\//.test(text);

const isPhp = (text: string): boolean => /<\?(?:php\b|=)/i.test(text);

const isBatch = (text: string): boolean => /^(?:\u00ef\u00bb\u00bf)?\s*@?echo\s+off\b/i.test(text);

/** What kind of program the first bytes of a file are; undefined: none that we know. */
export const executableKindOf = (head: Buffer): string | undefined => {
  if (hasPrefix(head, 0x7f, 0x45, 0x4c, 0x46)) return 'ELF program';
  if (isWindowsProgram(head)) return 'Windows program';
  if (machMagics.some((magic) => hasPrefix(head, ...magic))) return 'Mach-O program';
  if (isJavaClass(head)) return 'Java class';
  if (hasPrefix(head, 0x00, 0x61, 0x73, 0x6d)) return 'WebAssembly program';
  if (head.toString('latin1', 0, 4) === 'dex\n') return 'Android program';
  if (hasPrefix(head, 0x4c, 0, 0, 0, 0x01, 0x14, 0x02)) return 'Windows shortcut';
  const text = head.toString('latin1', 0, EXECUTABLE_SNIFF_BYTES);
  if (isScript(text)) return 'script';
  if (isPhp(text)) return 'PHP script';
  return isBatch(text) ? 'batch file' : undefined;
};
