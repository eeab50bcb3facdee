/** What the carrier said: Q.850 causes in words. */
import type { Both } from './language.ts';

const causes: Readonly<Record<number, Both>> = {
  1: { en: 'unallocated number', pt: 'número inexistente' },
  2: { en: 'no route to the network', pt: 'sem rota para a rede' },
  3: { en: 'no route to the destination', pt: 'sem rota para o destino' },
  16: { en: 'normal clearing', pt: 'desligamento normal' },
  17: { en: 'user busy', pt: 'usuário ocupado' },
  18: { en: 'no user responding', pt: 'usuário não responde' },
  19: { en: 'no answer from the user', pt: 'usuário não atende' },
  20: { en: 'subscriber absent', pt: 'assinante ausente' },
  21: { en: 'call rejected', pt: 'chamada rejeitada' },
  22: { en: 'number changed', pt: 'número mudou' },
  27: { en: 'destination out of order', pt: 'destino fora de serviço' },
  28: { en: 'invalid number', pt: 'número inválido' },
  31: { en: 'normal, unspecified', pt: 'normal, não especificado' },
  34: { en: 'no circuit available', pt: 'sem circuito disponível' },
  38: { en: 'network out of order', pt: 'rede fora de serviço' },
  41: { en: 'temporary failure', pt: 'falha temporária' },
  42: { en: 'switching equipment congested', pt: 'central congestionada' },
  44: { en: 'requested circuit not available', pt: 'circuito solicitado indisponível' },
  47: { en: 'no resource available', pt: 'sem recurso disponível' },
  58: { en: 'bearer capability not available', pt: 'capacidade indisponível' },
  102: { en: 'timer expired', pt: 'tempo esgotado' },
  127: { en: 'interworking, unspecified', pt: 'interconexão, não especificado' },
};

const unknown: Both = { en: 'a cause without a name', pt: 'causa sem nome' };

/** Every cause has words. */
export const describeQ850Cause = (cause: number): Both => causes[cause] ?? unknown;
