/** What a file is, by its first bytes; its name and what the sender calls it count for nothing. */

export type AudioFormat =
  | 'wav'
  | 'mp3'
  | 'opus'
  | 'vorbis'
  | 'flac'
  | 'mp4'
  | 'aac'
  | 'amr'
  | 'aiff'
  | 'au'
  | 'webm';

/** How many first bytes it takes to tell. */
export const AUDIO_FORMAT_DETECTION_BYTES = 512;

/** Undefined: no sound that we know of. */
export const soundKindOf = (head: Buffer): AudioFormat | undefined => {
  const text = head.toString('latin1');
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav';
  if (text.startsWith('OggS')) return oggKind(text);
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('ID3')) return 'mp3';
  if (text.startsWith('ftyp', 4)) return 'mp4';
  if (text.startsWith('#!AMR')) return 'amr';
  if (text.startsWith('FORM') && /^AIF[FC]/.test(text.slice(8))) return 'aiff';
  if (text.startsWith('.snd')) return 'au';
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'webm';
  return mpegKind(head);
};

const oggKind = (text: string): AudioFormat | undefined => {
  if (text.includes('OpusHead')) return 'opus';
  if (text.includes('\x01vorbis')) return 'vorbis';
  return text.includes('\x7fFLAC') ? 'flac' : undefined;
};

/** A frame of MPEG audio begins with eleven set bits; layer 0 is AAC in its own frames. */
const mpegKind = (head: Buffer): AudioFormat | undefined => {
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0) return undefined;
  const version = (head[1]! >> 3) & 3;
  const layer = (head[1]! >> 1) & 3;
  if (layer === 0) return (head[1]! & 0xf0) === 0xf0 ? 'aac' : undefined;
  const bitrate = head[2]! >> 4;
  const rate = (head[2]! >> 2) & 3;
  return version !== 1 && bitrate !== 15 && rate !== 3 ? 'mp3' : undefined;
};
