/**
 * The process that speaks: espeak-ng (WebAssembly, GPL-3.0) lives here and nowhere else. It takes one text at a time
 * from its parent and answers with an 8 kHz WAV. Texts travel through its in-memory file system.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import espeak from 'espeak-ng';
import { resample } from '../../rules/resample.ts';
import { readWav, writeWav } from '../../rules/wav.ts';

export interface SpeakRequest {
  text: string;
  voice: string;
}

export type SpeakReply = { wav: Uint8Array } | { refusal: string };

const TELEPHONE_RATE = 8000;
const WORDS_PER_MINUTE = '150';

const speak = async (text: string, voice: string, program: WebAssembly.Module): Promise<Buffer> => {
  const complaints: string[] = [];
  const { FS } = await espeak({
    arguments: ['-v', voice, '-s', WORDS_PER_MINUTE, '-b', '1', '-w', 'out.wav', '-f', 'in.txt'],
    preRun: [(module) => module.FS.writeFile('in.txt', text)],
    instantiateWasm: (imports, ready) => {
      void WebAssembly.instantiate(program, imports).then((instance) => ready(instance, program));
      return {};
    },
    print: () => {},
    printErr: (line) => complaints.push(line),
  });
  // Without a result its complaint is the reason, e.g. a voice that does not exist.
  if (!FS.analyzePath('out.wav').exists) throw new Error(complaints[0] ?? 'espeak-ng made no sound');
  const { samples, sampleRate } = readWav(Buffer.from(FS.readFile('out.wav')));
  return writeWav(resample(samples, sampleRate, TELEPHONE_RATE), TELEPHONE_RATE);
};

const compile = async (): Promise<WebAssembly.Module> => {
  const script = createRequire(import.meta.url).resolve('espeak-ng');
  return WebAssembly.compile(await readFile(script.replace(/\.js$/, '.wasm')));
};

const serve = async (): Promise<void> => {
  const program = compile();
  const answer = async ({ text, voice }: SpeakRequest): Promise<SpeakReply> => {
    try {
      return { wav: await speak(text, voice, await program) };
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : String(error) };
    }
  };
  process.on('message', (request: SpeakRequest) => {
    void answer(request).then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.exit(0));
};

await serve();
