/** Icons, drawn here: 16 by 16, one stroke, in the colour of the text around them. */
import type { JSX } from 'preact';

const paths = {
  now: 'M2 9h3l2-5 3 9 2-4h2',
  campaigns: 'M2 13V9M6 13V6M10 13V8M14 13V3',
  find: 'M7 2a5 5 0 1 0 0 10A5 5 0 1 0 7 2ZM11 11l3 3',
  why: 'M6 6a2 2 0 1 1 3 1.700c-.8.500-1 .9-1 1.800M8 12v.1M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13Z',
  book: 'M3 2.5h7a3 3 0 0 1 3 3v8H6a3 3 0 0 1-3-3ZM3 10.500a3 3 0 0 1 3-3h7',
  theme:
    'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6ZM8 1v1M8 14v1M1 8h1M14 8h1M3 3l.7.7M12.3 12.3l.7.7M3 13l.7-.7M12.3 3.7l.7-.7',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.3 4.3L11.200 8.800M9 11.500l-1.500 1.500a3 3 0 0 1-4.300-4.300L4.800 7.200',
  play: 'M5 3l8 5-8 5Z',
  phone: 'M4 2h8v12H4ZM7 12h2',
  people:
    'M6 2.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5ZM1.500 13.500c0-5 9-5 9 0M10.500 3a2.300 2.300 0 0 1 0 4.500M12 9.500c1.800.6 2.500 2 2.500 4',
  talk: 'M2.500 3h11v8H8l-3.500 3v-3h-2Z',
  send: 'M2 8h9M7.500 4 11.500 8l-4 4M14 3v10',
  settings: 'M2 4h6M12 4h2M8 4a2 2 0 1 0 4 0a2 2 0 1 0-4 0M2 12h2M8 12h6M4 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  out: 'M9 2.500H3v11h6M7 8h7M11.500 5.500 14 8l-2.500 2.500',
} as const;

export type IconName = keyof typeof paths;

/** Says nothing by itself: words stand beside it, or the button around it is named. */
export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

export const Brand = (): JSX.Element => (
  <svg class="brand-mark" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M5 3v14M5 12c0-4 9-2 9-6" />
    <circle cx="14" cy="5" r="2.6" />
  </svg>
);
