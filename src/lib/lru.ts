/** A bounded memory: what was longest unused is forgotten first. */
import { LRUCache } from 'lru-cache';

/**
 * Remembers so many entries at most. It grows as it is filled: `max` of the library would reserve memory for all entries
 * that it may ever hold.
 */
export const lruOf = <Key extends string | number, Value extends object | string | number | true>(
  most: number,
): LRUCache<Key, Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
