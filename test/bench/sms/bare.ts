/** The package alone: as many messages as fast as it can with a window, nothing remembered. */
import smpp, { type Session } from 'smpp';

export const sendBare = async (port: number, messages: number, window: number): Promise<void> => {
  const session = smpp.connect({ host: '127.0.0.1', port });
  session.socket.setNoDelay(true);
  await new Promise<void>((bound) =>
    session.on('connect', () => session.bind_transceiver({ system_id: 'bare' }, () => bound())),
  );
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < messages) await submit(session, (next += 1));
  };
  await Promise.all(Array.from({ length: window }, send));
  session.destroy();
};

const submit = (session: Session, number: number): Promise<unknown> =>
  new Promise((answered) =>
    session.submit_sm(
      {
        destination_addr: destinationOf(number),
        source_addr: 'RAMAL',
        registered_delivery: 1,
        data_coding: 0,
        short_message: textOf(number),
      },
      answered,
    ),
  );

export const destinationOf = (number: number): string => `5511${900_000_000 + number}`;

export const textOf = (number: number): string => `Sua consulta ${number} foi confirmada para amanha as 14h.`;
