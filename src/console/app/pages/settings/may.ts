/** What the role of the session allows. */
import { session } from '../../api.ts';
import { useStore } from '../../store.ts';

/** Whether the session may do what needs this role. */
export const useMay = (role: 'operator' | 'admin'): boolean => {
  const who = useStore(session);
  return typeof who === 'object' && (role === 'operator' || who.role === 'admin');
};
