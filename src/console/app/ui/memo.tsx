/** A component that is drawn anew only when one of its properties, or something that it looks at itself, is another. */
import { Component, type FunctionComponent, type JSX } from 'preact';

export const memo = <Props extends object>(Of: FunctionComponent<Props>) =>
  class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const [now, before] = [Object.entries(next), this.props as Record<string, unknown>];
      return now.length !== Object.keys(before).length || now.some(([name, value]) => value !== before[name]);
    }

    override render(): JSX.Element {
      return <Of {...this.props} />;
    }
  };
