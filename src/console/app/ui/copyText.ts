/** To the clipboard, which a browser keeps from pages that came over plain HTTP. */
import { sayNow } from '../words/index.ts';
import { toast } from './toast.tsx';

/** Copies a text and says so, or that the browser does not allow it. */
export const copyText = async (text: string, done: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(sayNow('notCopied'));
  }
};
