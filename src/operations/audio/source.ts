/** Where the sound of a CreateAudioFile comes from: exactly one of a text, a file, base64 and a raw body (codes 220 to 224). */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { decodeBase64Stream, NotBase64 } from '../../lib/decodeClientBase64.ts';
import { pipeIntoNewFile } from '../../lib/newFile.ts';
import type { UploadedFile } from '../operationUploadTypes.ts';
import type { AudioRequestContext } from './params.ts';

export type AudioSource =
  | { kind: 'text'; text: string }
  /** `fileName`: as the sender or the type says. */
  | { kind: 'file' | 'base64'; path: string; fileName: string };

/** Uploads smaller than this are refused, bytes (spec 8). */
export const smallestAudioUploadBytes = 100;

export const readAudioSource = async (ctx: AudioRequestContext): Promise<AudioSource> => {
  const { params, refuse } = ctx;
  const sources = [textOf(ctx), fileOf(ctx), base64Of(ctx)].filter((one) => one !== undefined);
  if (sources.length === 0) throw refuse('noSource');
  if (sources.length > 1) throw refuse('badValue', 'only one of text, a file and audio64 may be given');
  const source = await sources[0]!();
  if (source.kind === 'text') return source;
  const { size } = await stat(source.path);
  if (size < smallestAudioUploadBytes) throw refuse('tooSmall');
  return { ...source, fileName: params.fileName?.trim() || source.fileName };
};

type Reader = (() => Promise<AudioSource> | AudioSource) | undefined;

const textOf = ({ params }: AudioRequestContext): Reader => {
  const text = params.text?.trim() ?? '';
  return text === '' ? undefined : () => ({ kind: 'text', text });
};

/** A form's empty file field is no file. */
const fileOf = ({ file, params, refuse }: AudioRequestContext): Reader => {
  if (!file || (file.bytes === 0 && file.name === '')) return undefined;
  return () => {
    if (file.field !== '' && file.name === '' && params.fileName === undefined) throw refuse('noFileName');
    return { kind: 'file', path: file.path, fileName: file.name || `audio.${extensionOf(file.contentType)}` };
  };
};

const base64Of = (ctx: AudioRequestContext): Reader => {
  const text = ctx.spilled['audio64'];
  if (!text || text.bytes === 0) return undefined;
  return async () => ({
    kind: 'base64',
    path: await decoded(ctx, text),
    fileName: `audio.${extensionOf(await typeOf(text))}`,
  });
};

const decoded = async ({ refuse }: AudioRequestContext, text: UploadedFile): Promise<string> => {
  if (await isTruthValue(text)) throw refuse('notDecoded', 'audio64 cannot be decoded: it is no text');
  try {
    await pipeIntoNewFile(decodeBase64Stream(text.open()), text.beside);
    return text.beside;
  } catch (error) {
    if (error instanceof NotBase64) throw refuse('notDecoded', `audio64 cannot be decoded: ${error.message}`);
    throw error;
  }
};

/** `true` of a JSON body would be three bytes of base64. */
const isTruthValue = async ({ path, bytes }: UploadedFile): Promise<boolean> =>
  bytes <= 5 && ['true', 'false'].includes(await readFile(path, 'latin1'));

/** The type that a data URL names; empty: none. */
const typeOf = async (text: UploadedFile): Promise<string> => {
  for await (const head of createReadStream(text.path, { end: 255 }))
    return /^\s*data:([\w.+/-]+)/i.exec((head as Buffer).toString('latin1'))?.[1]?.toLowerCase() ?? '';
  return '';
};

const extensions: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/webm': 'webm',
  'audio/aiff': 'aiff',
};

/** What an unnamed file is called by; most of what telephones are sent is WAV. */
const extensionOf = (contentType: string): string => extensions[contentType] ?? 'wav';
