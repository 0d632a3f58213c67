/** How a skin swings when its joints are turned: stiffness, damping and gain, as multiples of what was learnt. */
import { useSignal } from '@preact/signals';
import type { JointGuest } from '../viewport/joint-guest.ts';
import type { SwingTuning } from '../viewport/swinging.ts';
import { Slider } from './controls.tsx';

const LEARNT: SwingTuning = { stiffness: 1, damping: 1, gain: 1 };
const SLIDERS = [
  ['stiffness', 'Stiffness', 'Twice as stiff swings 1.4 times as fast', 0.1],
  ['damping', 'Damping', 'How soon it comes to rest', 0.1],
  ['gain', 'Gain', 'How far it swings; 0 is the pose alone', 0],
] as const;
const MOST = 4;

export function JointSwing({ guest }: { readonly guest: JointGuest }) {
  const tuning = useSignal(LEARNT);
  const { swinging } = guest;
  if (!swinging?.swings) return null;
  const set = (next: SwingTuning) => {
    tuning.value = next;
    swinging.tune(next);
  };
  return (
    <section class="group" aria-label="Swing">
      <p class="dim small">The skin swings: turn a joint quickly and let go. Multiples of what was learnt.</p>
      {SLIDERS.map(([key, label, title, least]) => (
        <Slider
          key={key}
          label={label}
          title={title}
          value={tuning.value[key]}
          min={least}
          max={MOST}
          step={0.1}
          onChange={(value) => set({ ...tuning.value, [key]: value })}
        />
      ))}
      <button type="button" class="button" onClick={() => set(LEARNT)}>
        As learnt
      </button>
    </section>
  );
}
