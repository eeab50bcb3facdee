/** A part of an address as text; empty: it cannot be read. */
export const decodeAddressPart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
};
