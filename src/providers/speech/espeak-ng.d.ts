/** The part of espeak-ng (npm), an Emscripten module, that we use. */
declare module 'espeak-ng' {
  interface FileSystem {
    writeFile(path: string, content: string): void;
    readFile(path: string): Uint8Array;
    unlink(path: string): void;
  }
  interface Module {
    FS: FileSystem;
    HEAPU8: Uint8Array;
    _main(count: number, words: number): number;
  }
  interface Options {
    /** Runs at once with these, unless `noInitialRun`. */
    arguments?: string[];
    noInitialRun?: boolean;
    /** Absent: the module loads its program by itself. */
    instantiateWasm?: (imports: object, ready: (instance: object, program: object) => void) => object;
    print(line: string): void;
    printErr(line: string): void;
  }
  export default function espeak(options: Options): Promise<Module>;
}
