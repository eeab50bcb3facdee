/** What carries a number, an id or a name, the newest first. */
import type { JSX } from 'preact';
import { find, type SearchHit } from '../../data.ts';
import { kindName } from '../../kindName.ts';
import { toStatusTone } from '../../stateFeeling.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { useTranslation } from '../../words/index.ts';
import { ResultTable, StandingCells } from './resultTable.tsx';

export const SearchResults = ({ text }: { text: string }): JSX.Element => {
  const say = useTranslation();
  const { answer, failure, again } = useFetch(text, (signal) => find(text, signal));
  if (failure !== undefined) return <ErrorNotice error={failure} isPart onAgain={again} />;
  if (!answer) return <LoadingNotice />;
  if (answer.found.length === 0) return <p class="dim gap-above">{say('nothingFound')}</p>;
  return (
    <ResultTable columns={['kind', 'what']}>
      {answer.found.map((one) => (
        <FoundRow
          key={`${one.kind} ${one.id} ${one.token_id} ${one.line} ${one.title} ${one.at}`}
          one={one}
          account={answer.accounts[one.account]}
          zone={answer.zones[one.account]}
        />
      ))}
    </ResultTable>
  );
};

/** The page that shows it; undefined: there is none. */
const addressOf = ({
  kind,
  id,
  account,
  token_id: token,
  line,
  contact,
  contact_ref,
}: SearchHit): string | undefined => {
  if (kind === 'account') return `/admin/accounts/${account}`;
  if (id !== null) return `/admin/machines/${id}?account=${account}`;
  if (token !== undefined) return `/admin/accounts/${account}/tokens/${token}`;
  const person = contact_ref ?? contact;
  if (line === undefined || person === undefined) return undefined;
  const query = { account: String(account), line: String(line), contact: person };
  return `/admin/conversations?${new URLSearchParams(query)}`;
};

interface FoundRowProps {
  one: SearchHit;
  account: string | undefined;
  zone: string | undefined;
}

const FoundRow = ({ one, account, zone }: FoundRowProps): JSX.Element => {
  const say = useTranslation();
  const href = addressOf(one);
  const name = one.id ?? one.contact;
  return (
    <tr>
      <td data-l={say('kind')}>{kindName(one.kind, say)}</td>
      <td data-l={say('what')} class="foreign">
        {href === undefined ? (
          one.title
        ) : (
          <a class="link" data-row href={href}>
            {one.title}
          </a>
        )}
        {name !== undefined && name !== one.title && (
          <span class="sub">
            <code>{name}</code>
          </span>
        )}
      </td>
      <StandingCells
        tone={toStatusTone(one.kind, one.state)}
        state={one.state || say('going')}
        account={account ?? one.account}
        at={one.at}
        zone={zone}
      />
    </tr>
  );
};
