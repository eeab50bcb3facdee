/** What an entry of the audit log did, in words; the route stands below them, as programs ask for it. */
import type { JSX } from 'preact';
import { DeclaredSentence } from '../../../ui/translatedApiDescriptions.tsx';
import { useFetch } from '../../../ui/useRead.ts';
import { readDeclaredOperations } from '../description.ts';
import type { FieldViewProps } from '../extras.ts';
import { type SettingsTranslationKey, useSettingsWords } from '../useSettingsWords.ts';
import { findAuditedOperation } from './findAuditedOperation.ts';

/** What sessions and their links did; the rest of an action is whose. */
const sessionActions: readonly (readonly [action: string, word: SettingsTranslationKey])[] = [
  ['sign-in link made at the start', 'auditLinkMadeAtStart'],
  ['sign-in link made', 'auditLinkMade'],
  ['opened by a sign-in link', 'auditOpenedByLink'],
  ['opened', 'auditOpened'],
  ['ended', 'auditEnded'],
  ['refused', 'auditRefused'],
];

export const AuditedAction = ({ value }: FieldViewProps): JSX.Element => {
  const say = useSettingsWords();
  const { answer: operations = [] } = useFetch('operations', readDeclaredOperations);
  const action = String(value);
  const operation = findAuditedOperation(operations, action);
  const [, word] = sessionActions.find(([known]) => action === known || action.startsWith(`${known} `)) ?? [];
  if (operation)
    return (
      <span>
        <DeclaredSentence text={operation.summary} />
        <Raw action={action} />
      </span>
    );
  if (word === undefined) return <bdi class="foreign">{action}</bdi>;
  return (
    <span>
      {say(word)}
      {/\d/.test(action) && <Raw action={action} />}
    </span>
  );
};

const Raw = ({ action }: { action: string }): JSX.Element => <code class="hint raw foreign">{action}</code>;
