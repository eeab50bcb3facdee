/** A drawing as elements of the page. States are buttons: to be chosen, and where they hold others, to be unfolded. */
import { h, type VNode } from 'preact';
import type { SvgElement as Drawn } from '../../../statechart/svgElement.ts';

/** What a state's button says and does. */
export interface StateButton {
  label: string;
  isChosen: boolean;
  /** Undefined: it holds no other states. */
  isUnfolded: boolean | undefined;
  /** One of them is reached by Tab; the arrow keys go on from there. */
  isFirst: boolean;
  onPress(): void;
}

export const drawingToVNode = (element: Drawn, buttonOf: (state: string) => StateButton): VNode => {
  const { tag, attributes, children } = element;
  const inside = children.map((child) =>
    typeof child === 'string' ? child : drawingToVNode(child, buttonOf),
  );
  return h(tag, { ...attributes, key: attributes['id'], ...buttonIn(attributes, buttonOf) }, inside);
};

const buttonIn = (attributes: Drawn['attributes'], buttonOf: (state: string) => StateButton): object => {
  const [, state] = /^state:(.+)$/.exec(String(attributes['id'] ?? '')) ?? [];
  if (state === undefined) return {};
  const { label, isChosen, isUnfolded, isFirst, onPress } = buttonOf(state);
  return {
    role: 'button',
    // Elements of SVG take it as an attribute only.
    tabindex: isFirst ? 0 : -1,
    'data-state': state,
    'aria-label': label,
    'aria-pressed': isChosen,
    ...(isUnfolded !== undefined && { 'aria-expanded': isUnfolded }),
    onClick: onPress,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      onPress();
    },
  };
};

/** Up and down go from state to state, in the order in which they are drawn. */
export const goAmongStates = (event: KeyboardEvent): void => {
  const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (way === undefined || !(event.currentTarget instanceof Element)) return;
  const states = [...event.currentTarget.querySelectorAll<SVGElement>('[data-state]')];
  const to = states[states.indexOf(document.activeElement as SVGElement) + way];
  if (!to) return;
  event.preventDefault();
  to.focus();
};
