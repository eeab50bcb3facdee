/** A text as a pattern of LIKE that stands for itself: `50%` finds `50%` only. Pure. */
export const escapeLikePattern = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
