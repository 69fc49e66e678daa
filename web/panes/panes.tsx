// SPDX-License-Identifier: MIT
// The panes about a draw, one at a time.
import type { FunctionComponent, JSX } from "preact";
import type { PaneName } from "../model/place";
import { PANES } from "../model/place";
import type { View } from "../model/view";
import { Tabs } from "../parts/tabs";
import { BuffersPane } from "./buffers";
import { CapturePane } from "./capture";
import { History } from "./history";
import { InterfacesPane } from "./interfaces";
import { MeshPane } from "./mesh";
import { ShaderPane } from "./shader";
import { StatePane } from "./state";
import { StreamPane } from "./stream";
import { TexturesPane } from "./textures";

const COMPONENTS: Record<PaneName, FunctionComponent<{ view: View }>> = {
    history: History,
    state: StatePane,
    textures: TexturesPane,
    mesh: MeshPane,
    shader: ShaderPane,
    stream: StreamPane,
    interfaces: InterfacesPane,
    capture: CapturePane,
    buffers: BuffersPane,
};

interface PanesProps {
    view: View;
    chosen: PaneName;
    onChoose: (pane: PaneName) => void;
}

export function Panes({ view, chosen, onChoose }: PanesProps): JSX.Element {
    const Pane = COMPONENTS[chosen];
    const tabs = PANES.map((name, i) => ({ name, label: name, hint: `${name} (${i + 1})` }));
    return (
        <section class="pane panes" aria-label="panes">
            <Tabs label="panes" tabs={tabs} chosen={chosen} onChoose={onChoose} />
            <div class="panel" role="tabpanel" aria-label={chosen} tabIndex={-1} data-pane={chosen}>
                <Pane view={view} />
            </div>
        </section>
    );
}
