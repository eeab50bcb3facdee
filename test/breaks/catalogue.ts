import type { Break } from './break.ts';
import { engine } from './catalogue/engine.ts';
import { machines } from './catalogue/machines.ts';
import { others } from './catalogue/others.ts';
import { store } from './catalogue/store.ts';

/** All of them. */
export const catalogue: readonly Break[] = [...engine, ...machines, ...store, ...others];
