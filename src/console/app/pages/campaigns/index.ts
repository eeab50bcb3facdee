/** The pages of campaigns, which are loaded when one of them is asked for. */
// oxlint-disable-next-line import/no-unassigned-import -- styles of these pages, which come with them
import '../../styles/campaigns.css';

export { CampaignsPage } from './list.tsx';
export { NewCampaignPage } from './new.tsx';
export { CampaignPage } from './page.tsx';
