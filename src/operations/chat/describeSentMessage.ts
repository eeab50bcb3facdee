/** What a tool says of a message that was sent: of one that was not acknowledged yet, that it goes on. */
export const describeSentMessage = ({ status }: Readonly<Record<string, unknown>>): string =>
  status === 'OK'
    ? 'The upstream has taken the message.'
    : 'The message is recorded and on its way; the upstream has not answered yet. Do not send it again.';
