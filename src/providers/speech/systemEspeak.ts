/** The system's espeak-ng: a process for each text. */
import { execFile, spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { writeWav } from '../sound/wav.ts';
import { type SpeakWithEspeak, espeakArguments } from './espeakWasm.ts';

/** A voice by espeak's name, with or without a variant: no path, and no option. */
const VOICE = /^[a-z0-9][a-z0-9-]*(\+[a-z0-9-]+)?$/;
/** Of what it complains, bytes. */
const COMPLAINT_BYTES = 4_096;
const SILENCE = writeWav(new Int16Array(0), 22_050);

/** Speaks with the program at this path. It gets no environment, and reads the text from its standard input. */
export const systemEspeak =
  (program: string): SpeakWithEspeak =>
  async (text, voice, pace) => {
    if (!VOICE.test(voice)) throw new Error(`there is no voice "${voice}"`);
    const args = [...espeakArguments(voice, pace), '--stdin', '--stdout'];
    const child = spawn(program, args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    let complaint = '';
    child.stderr.on('data', (part: Buffer) => {
      complaint = (complaint + part.toString('utf8')).slice(0, COMPLAINT_BYTES);
    });
    // One that ends before it has read the text says why by its status.
    child.stdin.on('error', () => {});
    // A text ends at its first NUL, to espeak.
    child.stdin.end(text.replaceAll('\0', ' '));
    const [sound, status] = await Promise.all([buffer(child.stdout), ended]);
    if (status !== 0) throw new Error(complaint.split('\n', 1)[0] || `espeak-ng ended with ${status}`);
    return sound.length === 0 ? SILENCE : sound;
  };

const LISTING = { timeout: 10_000, maxBuffer: 2 ** 20, env: {} };

/** Its voices by espeak's own names, without variants. Throws when they cannot be listed. */
export const listSystemEspeakVoices = async (program: string): Promise<ReadonlySet<string>> => {
  const { stdout } = await promisify(execFile)(program, ['--voices'], LISTING);
  const [, ...lines] = stdout.trim().split('\n');
  return new Set(lines.map((line) => line.trim().split(/\s+/)[1] ?? ''));
};
