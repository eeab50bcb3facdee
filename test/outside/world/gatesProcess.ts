/** The process of `gates.ts`. */
import { openProxy, type Proxy } from '../../helpers/postgres/proxy.ts';
import type { Carried, Order } from './gates.ts';

const gates = new Map<number, Proxy>();

const carryOut = async (order: Order): Promise<number> => {
  if (order.do === 'open') gates.set(order.gate, await openProxy(order.port));
  const gate = gates.get(order.gate)!;
  if (order.do === 'cut') gate.cut();
  if (order.do === 'silence') gate.silence();
  if (order.do === 'cut' || order.do === 'mend') gate.mend();
  return gate.port;
};

process.on('message', (order: Order) => {
  void carryOut(order).then((port) => process.send!({ nth: order.nth, port } satisfies Carried));
});
process.once('disconnect', () => process.exit(0));
