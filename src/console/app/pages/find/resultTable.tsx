/** What was found, a line each: two columns of its own, and what all of it has: state, account and moment. */
import type { ComponentChildren, JSX } from 'preact';
import { Mark, type StatusTone } from '../../ui/mark.tsx';
import { When } from '../../ui/when.tsx';
import { useTranslation, type Word } from '../../words/index.ts';

export const ResultTable = ({
  columns,
  children,
}: {
  /** Of the first two columns. */
  columns: readonly [Word, Word];
  children: ComponentChildren;
}): JSX.Element => {
  const say = useTranslation();
  return (
    <div class="tw" tabIndex={0} role="group" aria-label={say('results')}>
      <table class="stack">
        <thead>
          <tr>
            {[...columns, 'state' as const, 'account' as const].map((word) => (
              <th key={word}>{say(word)}</th>
            ))}
            <th class="num">{say('when')}</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
};

interface StandingCellsProps {
  tone: StatusTone;
  state: string;
  account: string | number;
  at: number;
  /** Of the account. */
  zone: string | undefined;
}

/** The last three cells of a line. */
export const StandingCells = ({ tone, state, account, at, zone }: StandingCellsProps): JSX.Element => {
  const say = useTranslation();
  return (
    <>
      <td data-l={say('state')}>
        <span class="state">
          <Mark of={tone} />
          <code>{state}</code>
        </span>
      </td>
      <td data-l={say('account')} class="foreign">
        {account}
      </td>
      <td data-l={say('when')} class="num nowrap">
        <When at={at} zone={zone} />
      </td>
    </>
  );
};
