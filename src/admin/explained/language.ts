/** In which language machines are explained. */
export type Language = 'en' | 'pt';

/** A sentence in each language. */
export type Both = Readonly<Record<Language, string>>;

/** `?lang=`, else the first language of Accept-Language that we speak; English where none is asked for. */
export const negotiateLanguage = (asked: unknown, accepted: string): Language => {
  const wishes = [typeof asked === 'string' ? asked : '', ...accepted.split(',')].map((wish) =>
    wish.trim().slice(0, 2).toLowerCase(),
  );
  return wishes.find((wish): wish is Language => wish === 'en' || wish === 'pt') ?? 'en';
};
