/**
 * The npm package espeak-ng as a function. The program means to run once and end; loading it costs 100 ms, running it ten.
 * So it is loaded once, its memory is copied as it was before the first run, and restored before each further one.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/**
 * Speaks a text (any text) with a voice, `pace` times as fast as usual; the answer is a WAV at espeak's own rate.
 * Throws its complaint when it has one.
 */
export type SpeakWithEspeak = (text: string, voice: string, pace: number) => Buffer | Promise<Buffer>;

/** What it is told, whichever espeak-ng it is: texts are UTF-8. */
export const espeakArguments = (voice: string, pace: number): string[] => [
  ...['-v', voice],
  ...['-s', String(Math.round(WORDS_PER_MINUTE * pace))],
  ...['-b', '1'],
];

/** What Node has and its types of version 20 leave out. */
interface Assembly {
  compile(bytes: Uint8Array): Promise<CompiledEspeak>;
  instantiate(program: CompiledEspeak, imports: object): Promise<{ exports: unknown }>;
}

export type CompiledEspeak = object;

/** What we use of the compiled program beyond its public face: the stack, where arguments are put. */
interface Inside {
  memory: { buffer: ArrayBuffer };
  stackSave(): number;
  stackRestore(at: number): void;
  stackAlloc(bytes: number): number;
}

const { WebAssembly } = globalThis as unknown as { WebAssembly: Assembly };

const WORDS_PER_MINUTE = 150;

/** Compiles the program; takes a moment, once a process. Throws where the package is not installed. */
export const compileEspeakWasm = async (): Promise<CompiledEspeak> => {
  const script = createRequire(import.meta.url).resolve('espeak-ng');
  return WebAssembly.compile(await readFile(script.replace(/\.js$/, '.wasm')));
};

/** Loads the compiled program. After it threw, a copy is not to be used again. */
export const loadEspeak = async (compiled: CompiledEspeak): Promise<SpeakWithEspeak> => {
  let inside: Inside | undefined;
  let complaints: string[] = [];
  const { default: espeak } = await import('espeak-ng');
  const module = await espeak({
    noInitialRun: true,
    instantiateWasm: (imports, ready) => {
      void WebAssembly.instantiate(compiled, imports).then((instance) => {
        inside = instance.exports as Inside;
        ready(instance, compiled);
      });
      return {};
    },
    print: () => {},
    printErr: (line) => complaints.push(line),
  });
  if (!inside) throw new Error('espeak-ng did not load');
  const { memory, stackSave, stackRestore, stackAlloc } = inside;
  const unused = new Uint8Array(memory.buffer).slice();
  const stackTop = stackSave();

  /** `main(argc, argv)` in a memory that has seen nothing yet. */
  const run = (args: string[]): number => {
    module.HEAPU8.set(unused);
    stackRestore(stackTop);
    const put = (bytes: Uint8Array): number => {
      const at = stackAlloc(bytes.length);
      module.HEAPU8.set(bytes, at);
      return at;
    };
    const words = args.map((arg) => put(Buffer.from(`${arg}\0`)));
    const argv = put(new Uint8Array(Uint32Array.from([...words, 0]).buffer));
    return module._main(words.length, argv);
  };

  return (text, voice, pace) => {
    complaints = [];
    module.FS.writeFile('in.txt', text);
    const status = run(['espeak-ng', ...espeakArguments(voice, pace), '-w', 'out.wav', '-f', 'in.txt']);
    if (status !== 0) throw new Error(complaints[0] ?? `espeak-ng ended with ${status}`);
    const sound = Buffer.from(module.FS.readFile('out.wav'));
    module.FS.unlink('out.wav');
    return sound;
  };
};
