/** Where an answer is written; it says whether the window of 24 hours is open. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError, signedInAdministratorStore } from '../../api.ts';
import { formatDateTimeInZone, span } from '../../format.ts';
import { useStore } from '../../store.ts';
import { Mark } from '../../ui/mark.tsx';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';
import { draftFor, keepDraft } from './answerDrafts.ts';
import { sendConversationAnswer, type Conversation } from './data.ts';
import { useConversationWords } from './useConversationWords.ts';

interface AnswerBoxProps {
  conversation: Conversation;
  zone: string;
  onSent(): void;
}

const longest = 4_096;

export const AnswerBox = ({ conversation, zone, onSent }: AnswerBoxProps): JSX.Element => {
  const say = useConversationWords();
  const { open, open_until: until, name, contact, cdcs_id: account } = conversation;
  if (!open)
    return (
      <div class="answer-box">
        <p class="state">
          <Mark of="wait" />
          <span>{say('closedSince', { name: name || contact })}</span>
        </p>
        <a class="btn" href={`/admin/accounts/${account}/templates`}>
          {say('templates')}
        </a>
      </div>
    );
  const left = { until: formatDateTimeInZone(until, zone), time: span(until - Date.now()) };
  return (
    <div class="answer-box">
      <p class="state">
        <Mark of="good" />
        <span>{say('openUntil', left)}</span>
      </p>
      <Write conversation={conversation} onSent={onSent} />
    </div>
  );
};

const Write = ({ conversation, onSent }: Omit<AnswerBoxProps, 'zone'>): JSX.Element => {
  const say = useConversationWords();
  const sayAll = useTranslation();
  const who = useStore(signedInAdministratorStore);
  const [text, setText] = useState(() => draftFor(conversation));
  const write = (typed: string): void => {
    setText(typed);
    keepDraft(conversation, typed);
  };
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const may = typeof who === 'object' && who.role === 'admin';
  const send = async (): Promise<void> => {
    if (text.trim() === '') return setProblem(say('empty'));
    setBusy(true);
    setProblem('');
    try {
      const { status, status_text: why } = await sendConversationAnswer(conversation, text);
      if (status === 'failed') setProblem(say('wasNotSent', { why }));
      else {
        write('');
        toast(say('wasSent'));
      }
      onSent();
    } catch (error) {
      setProblem(
        error instanceof AdminApiRequestError && error.status !== 0
          ? error.message
          : sayAll('errorUnreachable'),
      );
    }
    setBusy(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label class="f">
        {say('answer')}
        <textarea
          rows={3}
          maxLength={longest}
          disabled={!may || isBusy}
          aria-describedby="answer-hint answer-problem"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
      <p class="hint" id="answer-hint">
        {may ? say('charged', { line: String(conversation.v8l_id) }) : say('onlyAdministrator')}
      </p>
      <p class="bad" id="answer-problem" role="alert">
        {problem}
      </p>
      <button
        type="submit"
        class="btn primary"
        disabled={!may || isBusy}
        title={may ? undefined : say('onlyAdministrator')}
      >
        {say(isBusy ? 'sending' : 'send')}
      </button>
    </form>
  );
};
