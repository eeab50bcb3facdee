/** One conversation: what was written and sent, with its receipts, and the box for an answer. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { When } from '../../ui/when.tsx';
import { Mark, type StatusTone } from '../../ui/mark.tsx';
import { AnswerBox } from './answerBox.tsx';
import { type ConversationMessage, fetchConversation, type ConversationWithMessages } from './data.ts';
import type { ConversationKey } from './useLiveConversations.ts';
import { useConversationWords } from './useConversationWords.ts';

interface ThreadProps {
  which: ConversationKey;
  zone: string;
  /** Its newest messages as they stand now. */
  newest: ConversationWithMessages | undefined;
  onOpened(which: ConversationKey): void;
}

const keyOf = ({ direction, id }: ConversationMessage): string => `${direction} ${id}`;

/** The newest messages, and those that were read before and are none of these. */
const joined = (
  newest: ConversationWithMessages,
  before: ConversationWithMessages,
): ConversationWithMessages => {
  const known = new Set(newest.messages.map(keyOf));
  const others = before.messages.filter((message) => !known.has(keyOf(message)));
  const messages = [...newest.messages, ...others].toSorted((one, other) => other.at - one.at);
  return { ...newest, messages, cursor: before.cursor };
};

/** Pages of a conversation, the newest first. */
const useThread = ({ which, newest, onOpened }: ThreadProps) => {
  const { account, line, contact } = which;
  const [opened, setOpened] = useState<ConversationWithMessages | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const read = async (cursor: string | null): Promise<void> => {
    try {
      const page = await fetchConversation(account, line, contact, cursor);
      setFailure(undefined);
      setOpened((before) =>
        before && cursor !== null ? { ...page, messages: [...before.messages, ...page.messages] } : page,
      );
      onOpened(which);
    } catch (error) {
      setFailure(error);
    }
  };
  useEffect(() => void read(null), []);
  return { opened: opened && newest ? joined(newest, opened) : opened, failure, read };
};

export const ConversationThread = (props: ThreadProps): JSX.Element => {
  const say = useConversationWords();
  const {
    which: { account },
    zone,
  } = props;
  const { opened, failure, read } = useThread(props);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The newest stands at the end, and so does the box for an answer.
    if (opened) end.current?.scrollIntoView({ block: 'nearest' });
  }, [opened === undefined]);
  if (failure !== undefined) return <ErrorNotice error={failure} isPart onAgain={() => void read(null)} />;
  if (!opened) return <LoadingNotice />;
  const name = opened.name || opened.contact;
  return (
    <section class="thread" aria-labelledby="thread">
      <div class="sh">
        <h2 id="thread" class="foreign">
          {say('of', { name })}
        </h2>
        <span class="right">
          <code class="foreign">{opened.contact}</code>
          <a class="back" href={`/admin/conversations?account=${account}`}>
            {say('back')}
          </a>
        </span>
      </div>
      {opened.cursor !== null && (
        <button type="button" class="btn" onClick={() => void read(opened.cursor)}>
          {say('older')}
        </button>
      )}
      <ol class="messages">
        {opened.messages.toReversed().map((message) => (
          <MessageLine key={keyOf(message)} {...{ message, name, zone }} />
        ))}
      </ol>
      <div ref={end}>
        <AnswerBox conversation={opened} zone={zone} onSent={() => void read(null)} />
      </div>
    </section>
  );
};

const feelings = {
  accepted: 'live',
  submitted: 'live',
  acknowledged: 'live',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  undelivered: 'bad',
  unknown: 'warn',
} as const satisfies Readonly<Record<string, StatusTone>>;

const isKnownStatus = (status: string): status is keyof typeof feelings => Object.hasOwn(feelings, status);

const MessageLine = ({
  message,
  name,
  zone,
}: {
  message: ConversationMessage;
  name: string;
  zone: string;
}): JSX.Element => {
  const say = useConversationWords();
  const isIn = message.direction === 'in';
  return (
    <li class={isIn ? 'in' : 'out'}>
      <p class="foreign">{message.text || say('noText', { type: message.mtype })}</p>
      <p class="hint">
        <span class="foreign">{isIn ? say('wrote', { name }) : say('sent')}</span>{' '}
        <When at={message.at} zone={zone} />
        {!isIn && (
          <span class="state">
            <Mark of={isKnownStatus(message.status) ? feelings[message.status] : 'wait'} />
            {isKnownStatus(message.status) ? say(`status.${message.status}`) : <code>{message.status}</code>}
          </span>
        )}
        {message.delivered_at !== null && (
          <span>
            {say('deliveredAt')} <When at={message.delivered_at} zone={zone} />
          </span>
        )}
        {message.read_at !== null && (
          <span>
            {say('readAt')} <When at={message.read_at} zone={zone} />
          </span>
        )}
        {/^(failed|undelivered|unknown)$/.test(message.status) && (
          <span class="bad foreign">{message.status_text}</span>
        )}
      </p>
    </li>
  );
};
