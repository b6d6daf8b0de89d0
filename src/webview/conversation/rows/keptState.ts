import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';

/** States of the rows of one conversation. They outlive a row that leaves the page. */
export const KeptStates = createContext(new Map<string, boolean>());

/** A switch that keeps its state while its row is not on the page. `key` is unique in the conversation. */
export function useKeptSwitch(key: string): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const states = useContext(KeptStates);
  const [isOn, setIsOn] = useState(states.get(key) ?? false);
  return [
    isOn,
    (value) => {
      states.set(key, value);
      setIsOn(value);
    },
  ];
}
