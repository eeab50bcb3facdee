/** What the role of the session allows. */
import { signedInAdministratorStore } from '../../api.ts';
import { useStore } from '../../store.ts';

/** Whether the session may do what needs this role. */
export const useHasRole = (role: 'operator' | 'admin'): boolean => {
  const who = useStore(signedInAdministratorStore);
  return typeof who === 'object' && (role === 'operator' || who.role === 'admin');
};
