/** What the role of the session allows. */
import { sessionStore } from '../../api.ts';
import { useStore } from '../../store.ts';

/** Whether the session may do what needs this role. */
export const useHasRole = (role: 'operator' | 'admin'): boolean => {
  const who = useStore(sessionStore);
  return typeof who === 'object' && (role === 'operator' || who.role === 'admin');
};
