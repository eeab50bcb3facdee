/** A drawing as plain elements: they become text here, and a page's elements elsewhere. */

export interface SvgElement {
  tag: string;
  attributes: Readonly<Record<string, string | number>>;
  children: readonly (SvgElement | string)[];
}

/** An element; attributes that are undefined or false are left out. */
export const svgElement = (
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined | false>> = {},
  ...children: readonly (SvgElement | string)[]
): SvgElement => ({
  tag,
  attributes: Object.fromEntries(
    Object.entries(attributes).filter((pair): pair is [string, string | number] => {
      const [, value] = pair;
      return value !== undefined && value !== false;
    }),
  ),
  children,
});

/** Markup, with all text escaped. */
export const svgToMarkup = ({ tag, attributes, children }: SvgElement): string => {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(String(value))}"`);
  const inside = children.map((child) => (typeof child === 'string' ? escape(child) : svgToMarkup(child)));
  return inside.length === 0
    ? `<${tag}${named.join('')}/>`
    : `<${tag}${named.join('')}>${inside.join('')}</${tag}>`;
};

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
