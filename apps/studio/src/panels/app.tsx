import { useEffect, useState } from 'preact/hooks';
import { ExportDialog } from './export-dialog.tsx';
import { FacePanel } from './face-panel.tsx';
import { FitPanel } from './fit-panel.tsx';
import { Gallery } from './gallery.tsx';
import { OpenDialog } from './open-dialog.tsx';
import { PosePanel } from './pose-panel.tsx';
import { PuppetPanel } from './puppet-panel.tsx';
import { Rail } from './rail.tsx';
import { ReducePanel } from './reduce-panel.tsx';
import { listenForKeys } from './shortcuts.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { SkeletonPanel } from './skeleton-panel.tsx';
import { SkinPanel } from './skin-panel.tsx';
import { type Studio, StudioContext, useStudio } from './studio.ts';
import { Timeline } from './timeline.tsx';
import { TopBar } from './top-bar.tsx';
import { ViewPane } from './view-pane.tsx';
import { VolumePanel } from './volume-panel.tsx';

const PANELS = {
  fit: FitPanel,
  skeleton: SkeletonPanel,
  reduce: ReducePanel,
  pose: PosePanel,
  skin: SkinPanel,
  volume: VolumePanel,
  puppet: PuppetPanel,
  face: FacePanel,
};
const TITLES = {
  fit: 'Fit bones',
  skeleton: 'Find the skeleton',
  reduce: 'Reduce',
  pose: 'Pose',
  skin: 'Skin',
  volume: 'Volume',
  puppet: 'Puppet',
  face: 'Face',
};

export function App({ studio }: { readonly studio: Studio }) {
  useEffect(() => listenForKeys(studio), [studio]);
  return (
    <StudioContext.Provider value={studio}>
      <div class="studio">
        <TopBar />
        <Rail />
        <ViewPane />
        <Options />
        <Timeline />
      </div>
      <Dialogs />
    </StudioContext.Provider>
  );
}

/** A pane beside the picture; on narrow screens a sheet that is drawn up. */
function Options() {
  const { document } = useStudio();
  const [open, setOpen] = useState(false);
  const mode = document.mode.value;
  const Panel = PANELS[mode];
  return (
    <aside class="options" aria-label="Options" data-open={open}>
      <button type="button" class="button sheet-handle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Close' : TITLES[mode]}
      </button>
      <Panel />
    </aside>
  );
}

function Dialogs() {
  const { session } = useStudio();
  const question = session.question.value;
  if (question) return <OpenDialog key={question.paths.join('\n')} question={question} />;
  switch (session.dialog.value) {
    case 'gallery':
      return <Gallery />;
    case 'shortcuts':
      return <ShortcutsDialog />;
    case 'export':
      return <ExportDialog />;
    default:
      return null;
  }
}
