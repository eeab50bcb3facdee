/** What can be done besides: each deed with its own form, and what came of it. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { DeclaredSentence } from '../../ui/translatedApiDescriptions.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OperationForm } from './form.tsx';
import { useHasRole } from './may.ts';
import { fill } from './settingsPageAddresses.ts';
import type { AdminApiOperation } from './resourcesFromOpenApi.ts';
import { OperationAnswerView } from './answerAndOneTimeSecret.tsx';
import { useActionNames, useSettingsWords } from './useSettingsWords.ts';

interface ActionsProps {
  operations: readonly AdminApiOperation[];
  params: Readonly<Record<string, string>>;
  zone: string;
  onDone(): void;
}

export const ResourceActions = ({ operations, params, zone, onDone }: ActionsProps): JSX.Element | null => {
  if (operations.length === 0) return null;
  return (
    <>
      {operations.map((operation) => (
        <Action
          key={`${operation.method} ${operation.path}`}
          operation={operation}
          params={params}
          zone={zone}
          onDone={onDone}
        />
      ))}
    </>
  );
};

const Action = ({
  operation,
  params,
  zone,
  onDone,
}: Omit<ActionsProps, 'operations'> & { operation: AdminApiOperation }): JSX.Element => {
  const say = useSettingsWords();
  const { title, verb } = useActionNames()(operation.path);
  const [answer, setAnswer] = useState<unknown>(undefined);
  const id = useId();
  const done = (came: unknown): void => {
    setAnswer(came ?? {});
    // A page of what was just changed would be read anew over the answer that is shown once.
    if (operation.path.split('/').length > 3) onDone();
  };
  return (
    <section aria-labelledby={id}>
      <div class="sh">
        <h2 id={id}>{title}</h2>
      </div>
      <p class="dim gap-above">
        <DeclaredSentence text={operation.summary} />
      </p>
      {operation.method === 'DELETE' ? (
        <RemoveRecordButton
          operation={operation}
          path={fill(operation.path, params)}
          what={title}
          zone={zone}
          onDone={done}
        />
      ) : (
        <OperationForm
          operation={operation}
          path={fill(operation.path, params)}
          zone={zone}
          verb={verb}
          busy={say('working')}
          onDone={done}
        />
      )}
      {answer !== undefined && (
        <OperationAnswerView answer={answer} columns={operation.answer ?? []} zone={zone} />
      )}
    </section>
  );
};

interface RemoveProps {
  operation: AdminApiOperation;
  path: string;
  what: string;
  zone: string;
  onDone(answer: unknown): void;
}

/** A button that asks first. */
export const RemoveRecordButton = ({ operation, path, what, zone, onDone }: RemoveProps): JSX.Element => {
  const say = useSettingsWords();
  const may = useHasRole(operation.role);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="btn danger"
        disabled={!may}
        title={may ? undefined : say('onlyAdministrator')}
        onClick={() => setOpen(true)}
      >
        {say('removeNamed', { what })}
      </button>
      {isOpen && (
        <Dialog label={say('removeQuestion', { what })} onClose={() => setOpen(false)}>
          <div class="dlg">
            <h2 class="foreign">{say('removeQuestion', { what })}</h2>
            <p>
              <DeclaredSentence text={operation.summary} />
            </p>
            <p class="hint">{say('audited')}</p>
            <OperationForm
              operation={operation}
              path={path}
              zone={zone}
              verb={say('removeNamed', { what })}
              busy={say('removing')}
              isDanger
              onCancel={() => setOpen(false)}
              onDone={(answer) => {
                setOpen(false);
                onDone(answer);
              }}
            />
          </div>
        </Dialog>
      )}
    </>
  );
};
