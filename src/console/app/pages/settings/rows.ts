/** The row that a list led from, for records that the API shows in lists only. Pure. */

/** A record of any kind. */
export type Row = Readonly<Record<string, unknown>>;

let kept: { href: string; row: Row } | undefined;

export const rememberClickedListRow = (href: string, row: Row): void => {
  kept = { href, row };
};

/** Undefined: the page was not come to from its list. */
export const rememberedClickedListRow = (href: string): Row | undefined =>
  kept?.href === href ? kept.row : undefined;
