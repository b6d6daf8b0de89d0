import { lazyView } from './controls/lazyView';
import type * as opened from './openedViews';

type PropertiesOf<View extends keyof typeof opened> = Parameters<(typeof opened)[View]>[0];

const load = (): Promise<typeof opened> => import('./openedViews');

export const SessionList = lazyView<PropertiesOf<'SessionList'>>(async () => (await load()).SessionList);
export const DoctorView = lazyView<PropertiesOf<'DoctorView'>>(async () => (await load()).DoctorView);
export const ConnectionHelp = lazyView<PropertiesOf<'ConnectionHelp'>>(async () => (await load()).ConnectionHelp);
export const McpBanner = lazyView<PropertiesOf<'McpBanner'>>(async () => (await load()).McpBanner);
export const ContextDetails = lazyView<PropertiesOf<'ContextDetails'>>(async () => (await load()).ContextDetails);
export const ModelMenu = lazyView<PropertiesOf<'ModelMenu'>>(async () => (await load()).ModelMenu);
export const PromptChips = lazyView<PropertiesOf<'PromptChips'>>(async () => (await load()).PromptChips);
export const ReadOnlyBar = lazyView<PropertiesOf<'ReadOnlyBar'>>(async () => (await load()).ReadOnlyBar);
export const PlanBar = lazyView<PropertiesOf<'PlanBar'>>(async () => (await load()).PlanBar);
export const WaitingPrompts = lazyView<PropertiesOf<'WaitingPrompts'>>(async () => (await load()).WaitingPrompts);
export const SentChips = lazyView<PropertiesOf<'SentChips'>>(async () => (await load()).SentChips);

/** Loads all of them, so that nothing is waited for when one is opened. */
export function preloadViews(): void {
  const views = [
    SessionList,
    DoctorView,
    ConnectionHelp,
    McpBanner,
    ContextDetails,
    ModelMenu,
    PromptChips,
    SentChips,
    ReadOnlyBar,
    PlanBar,
    WaitingPrompts,
  ];
  for (const view of views) {
    // A view that is shown tells about a failure itself.
    view.preload().catch(() => {});
  }
}
