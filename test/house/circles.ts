/** Circles of imports, `import type` counted: files that are imported, over others or not, by what they import. */
import { type SourceFile, importsOf } from './rooms.ts';

/**
 * The circles among files, each with its files in order. Of files that reach each other by several ways it is one
 * circle (Tarjan's strongly connected components).
 */
export function circles(files: readonly SourceFile[]): string[][] {
  const graph = new Map(files.map((file) => [file.path, importsOf(file).map(({ target }) => target)]));
  const search = new Search(graph);
  for (const path of graph.keys()) search.visit(path);
  return search.found.toSorted((a, b) => a[0]!.localeCompare(b[0]!));
}

class Search {
  readonly found: string[][] = [];
  readonly #graph: ReadonlyMap<string, readonly string[]>;
  readonly #order = new Map<string, number>();
  /** The earliest file that each one reaches. */
  readonly #lowest = new Map<string, number>();
  readonly #open: string[] = [];

  constructor(graph: ReadonlyMap<string, readonly string[]>) {
    this.#graph = graph;
  }

  visit(path: string): void {
    if (this.#order.has(path)) return;
    this.#order.set(path, this.#order.size);
    this.#lowest.set(path, this.#order.get(path)!);
    this.#open.push(path);
    for (const target of this.#graph.get(path)!) if (this.#graph.has(target)) this.#follow(path, target);
    if (this.#lowest.get(path) === this.#order.get(path)) this.#close(path);
  }

  #follow(path: string, target: string): void {
    this.visit(target);
    if (!this.#open.includes(target)) return;
    this.#lowest.set(path, Math.min(this.#lowest.get(path)!, this.#lowest.get(target)!));
  }

  #close(path: string): void {
    const circle = this.#open.splice(this.#open.indexOf(path));
    if (circle.length > 1) this.found.push(circle.toSorted());
  }
}
