/**
 * Where everything of a chart stands: the data that is shipped, one file a chart version. Every level has its place for
 * good, beside the level that it lies in; to unfold a state is to show its level, and nothing else moves.
 */
import type { StatechartState, StatechartTransition } from './statechartData.ts';
import type { ChartNodeKind } from './diagramPerCompoundState.ts';

/** Units are pixels; a level's stations and lines are placed from the level's corner. */
export interface ChartNodeLayout {
  /** See `ChartNodeModel`. */
  id: string;
  name: string;
  kind: ChartNodeKind;
  x: number;
  y: number;
  w: number;
  h: number;
  isCompound?: true;
  isInitial?: true;
}

export interface Line {
  /** `line:<level>:<from>><to>` */
  id: string;
  from: string;
  to: string;
  /** Short ids of the transitions that run along it. */
  transitions: readonly number[];
  /** It bends at right angles at each of them; the last one is at its target. */
  points: readonly (readonly [number, number])[];
  /** `x`, `y`: of the left upper corner; it is `LABEL_HEIGHT` high. `target`: what follows the text, where that is far. */
  label: { x: number; y: number; w: number; text: string; target?: string };
  /** Part of the happy path, stays at its station, or any other. */
  course: 'spine' | 'loop' | 'rail';
  isTrouble?: true;
}

export interface ChartLevelLayout {
  /** Id of the state whose inside it is; of the chart itself ''. */
  id: string;
  x: number;
  y: number;
  w: number;
  h: number;
  stations: readonly ChartNodeLayout[];
  lines: readonly Line[];
}

/** A word of what is heard in every state. */
export interface ChartLegendText {
  x: number;
  /** Of the base line. */
  y: number;
  w: number;
  /** Of a heading: in English. */
  text: string;
  /** Short ids; none: it is a heading. */
  transitions: readonly number[];
  /** Of a heading: the state that is led to; absent: none is. */
  target?: string;
}

export interface StatechartLayout {
  kind: string;
  version: number;
  w: number;
  h: number;
  /** The chart itself first, then each level before those inside it. */
  levels: readonly ChartLevelLayout[];
  /** What is heard in every state that does not answer it, in words, below the chart itself. */
  legend: readonly ChartLegendText[];
  states: readonly StatechartState[];
  /** By short id. */
  transitions: readonly StatechartTransition[];
}

export const LABEL_HEIGHT = 13;
/** Sizes of texts. */
export const CHART_NAME_FONT_SIZE = 12;
export const CHART_LABEL_FONT_SIZE = 11;
/** Height of a level's heading, which stands above its corner. */
export const HEAD_HEIGHT = 24;
/** Space around what a level holds. */
export const MARGIN = 12;
