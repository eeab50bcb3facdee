/** What floats: a native dialog, which keeps the focus, closes by Escape, and gives the focus back. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  /** What it is, for screen readers. */
  label: string;
  class?: string;
  onClose(): void;
  children: ComponentChildren;
}

export const Dialog = ({ label, class: name = '', onClose, children }: DialogProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  const closed = useRef(onClose);
  closed.current = onClose;
  useLayoutEffect(() => {
    const shown = dialog.current!;
    const hear = (): void => closed.current();
    shown.addEventListener('close', hear);
    shown.showModal();
    return () => {
      // Told later, it would close what was opened in its place.
      shown.removeEventListener('close', hear);
      shown.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      class={name}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // The browser would tell of it later, and the next key would still meet what no longer floats.
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The backdrop is the dialog itself.
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
};
