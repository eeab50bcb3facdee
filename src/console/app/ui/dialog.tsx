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
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => shown.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      class={name}
      onClose={onClose}
      onClick={(event) => {
        // The backdrop is the dialog itself.
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
};
