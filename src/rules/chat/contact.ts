/** Names that an upstream has for one person. */

/** Country, area, and eight digits of a mobile with or without the nine before them. */
const BRAZILIAN_MOBILE = /^(55[1-9]\d)(9?)([6-9]\d{7})$/;

/**
 * The ids under which the upstream may know a person: this one, and for a Brazilian mobile also the number with, or
 * without, the ninth digit. Its hooks often name the older form of what we wrote to.
 */
export const contactIdsWithAndWithoutNinthDigit = (contact: string): readonly string[] => {
  const [, before, nine, local] = BRAZILIAN_MOBILE.exec(contact) ?? [];
  if (before === undefined) return [contact];
  return [contact, `${before}${nine === '' ? '9' : ''}${local}`];
};
