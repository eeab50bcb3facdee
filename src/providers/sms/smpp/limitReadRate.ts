/**
 * Reads a session no faster than it is good for the process: a bounded number of units a turn of the event loop, and none
 * while what we answered is not taken. A peer that sends without end, and reads nothing, is held up by TCP itself.
 */
import type { Session } from 'smpp';

/** Units of one turn. */
const mostInATurn = 100;
/** Of what waits to be written, bytes: more than a whole window of submissions. A short answer takes thirty times its size. */
const mostUnwritten = 512 * 1_024;

export const limitSmppReadRate = (session: Session): void => {
  const { socket } = session;
  let inTurn = 0;
  let counting = false;
  let paused = false;

  const pause = (): void => {
    if (paused) return;
    paused = true;
    session.pause();
  };
  const resume = (): void => {
    if (!paused || socket.destroyed || isFull() || inTurn >= mostInATurn) return;
    paused = false;
    session.resume();
  };
  const isFull = (): boolean => socket.writableLength > mostUnwritten;
  const nextTurn = (): void => {
    counting = false;
    inTurn = 0;
    resume();
  };

  session.on('pdu', () => {
    inTurn += 1;
    if (!counting) {
      counting = true;
      setImmediate(nextTurn);
    }
    if (inTurn >= mostInATurn || isFull()) pause();
  });
  socket.on('drain', resume);
};
