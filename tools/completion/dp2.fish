# SPDX-License-Identifier: MIT
# fish completion for dp2, made by scripts/manual from the tables of its verbs; do not edit

# The verb of the command line is one of these.
function __dp2_verb
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c dp2 -f
complete -c dp2 -n __fish_is_first_token -l help -d 'print all verbs'
complete -c dp2 -n __fish_is_first_token -l version -d 'print the version'
complete -c dp2 -n __fish_is_first_token -a help -d 'explain a verb'
complete -c dp2 -n __fish_is_first_token -a version -d 'print the version'
complete -c dp2 -n '__dp2_verb help' -a 'info replay play view draws find state shot pixel resources mesh buffer trace textures profile compare diff farm dump asm import trim minimise edit coverage shader feedback caps tokens'
complete -c dp2 -n '__dp2_verb info replay play view draws find state shot pixel resources mesh buffer trace textures profile compare diff farm dump asm import trim minimise edit coverage shader feedback caps tokens' -l help -d 'print the help of this verb'

complete -c dp2 -n __fish_is_first_token -a info -d 'count what a capture holds'
complete -c dp2 -n '__dp2_verb info' -F
complete -c dp2 -n '__dp2_verb info' -l frames -d 'also print a line for each frame'
complete -c dp2 -n '__dp2_verb info' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a replay -d 'draw a capture again: pictures, hashes, speed'
complete -c dp2 -n '__dp2_verb replay' -F
complete -c dp2 -n '__dp2_verb replay' -s f -l frame -x -d 'show these frames'
complete -c dp2 -n '__dp2_verb replay' -s o -l output -r -F -d 'write pictures'
complete -c dp2 -n '__dp2_verb replay' -l hash -d 'print a line \'FRAME WIDTHxHEIGHT HASH\' for each frame shown'
complete -c dp2 -n '__dp2_verb replay' -l threads -x -d 'number of the driver\'s threads, like HALCYON_THREADS'
complete -c dp2 -n '__dp2_verb replay' -l cpu -x -a 'scalar sse2 avx2 avx512' -d 'widest SIMD instructions that the driver uses'
complete -c dp2 -n '__dp2_verb replay' -l ddi -x -a 'dx9 umd' -d 'the driver interface through which the capture is played'
complete -c dp2 -n '__dp2_verb replay' -l stats -d 'print what was played and how fast, with the shortest, median and longest time between the ends of two frames'
complete -c dp2 -n '__dp2_verb replay' -l json -d 'print what --hash, --stats and --until print as JSON'
complete -c dp2 -n '__dp2_verb replay' -s q -l quiet -d 'do not print progress and \'Rendered N frames\' on a terminal'
complete -c dp2 -n '__dp2_verb replay' -l loop -x -d 'play the file N times'
complete -c dp2 -n '__dp2_verb replay' -l record -r -F -d 'record the replay as a capture, or those of its frames that HALCYON_CAPTURE_FRAMES names'
complete -c dp2 -n '__dp2_verb replay' -l until -x -d 'stop at this place'
complete -c dp2 -n '__dp2_verb replay' -l depth-range -x -d 'depths that are black and white in the picture of the depth buffer'

complete -c dp2 -n __fish_is_first_token -a play -d 'show frames and draws in a window'
complete -c dp2 -n '__dp2_verb play' -F
complete -c dp2 -n '__dp2_verb play' -s f -l frame -x -d 'begin at this frame or draw'
complete -c dp2 -n '__dp2_verb play' -l show -x -a 'color before alpha depth stencil touched overdraw quad-overdraw wireframe depth-fail mip triangle-size coverage' -d 'begin with this picture, one of those of \'dp2 shot --show\''
complete -c dp2 -n '__dp2_verb play' -l fps -x -d 'frames per second'
complete -c dp2 -n '__dp2_verb play' -s p -l play -d 'begin in motion'
complete -c dp2 -n '__dp2_verb play' -s l -l loop -d 'start again at the end'
complete -c dp2 -n '__dp2_verb play' -l threads -x -d 'number of the driver\'s threads, like HALCYON_THREADS'
complete -c dp2 -n '__dp2_verb play' -s o -l output -x -a '(__fish_complete_directories)' -d 'folder for the pictures that the key S writes'

complete -c dp2 -n __fish_is_first_token -a view -d 'write the frame debugger and a capture as a page'
complete -c dp2 -n '__dp2_verb view' -F
complete -c dp2 -n '__dp2_verb view' -s o -l output -r -F -d 'write the HTML file to PAGE'
complete -c dp2 -n '__dp2_verb view' -s n -l notes -r -F -d 'put the notes of this file into the page, as the page saves them'
complete -c dp2 -n '__dp2_verb view' -l template -r -F -d 'use this page without a capture, as \'make web\' builds it'

complete -c dp2 -n __fish_is_first_token -a draws -d 'list the draws of frames and what they did'
complete -c dp2 -n '__dp2_verb draws' -F
complete -c dp2 -n '__dp2_verb draws' -s f -l frame -x -d 'list only these frames'
complete -c dp2 -n '__dp2_verb draws' -l names -d 'print only names, kinds and places, which needs no drawing'
complete -c dp2 -n '__dp2_verb draws' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a find -d 'find draws by their state, surfaces, shaders and kind'
complete -c dp2 -n '__dp2_verb find' -F
complete -c dp2 -n '__dp2_verb find' -s f -l frame -x -d 'search only these frames'
complete -c dp2 -n '__dp2_verb find' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a state -d 'show the state of a draw, or what two differ in'
complete -c dp2 -n '__dp2_verb state' -F
complete -c dp2 -n '__dp2_verb state' -l all -d 'also print the values that a new device has'
complete -c dp2 -n '__dp2_verb state' -l changes -d 'print only what was set since the previous draw'
complete -c dp2 -n '__dp2_verb state' -l group -x -d 'print only this group, as \'render states\' or \'stage 0\''
complete -c dp2 -n '__dp2_verb state' -l json -d 'print all values as JSON'

complete -c dp2 -n __fish_is_first_token -a shot -d 'show the target after a draw, or what the draw did'
complete -c dp2 -n '__dp2_verb shot' -F
complete -c dp2 -n '__dp2_verb shot' -s o -l output -r -F -d 'write the picture as PNG'
complete -c dp2 -n '__dp2_verb shot' -l show -x -a 'color before alpha depth stencil touched overdraw quad-overdraw wireframe depth-fail mip triangle-size coverage' -d 'the picture'
complete -c dp2 -n '__dp2_verb shot' -l depth-range -x -d 'depths that are black and white'
complete -c dp2 -n '__dp2_verb shot' -s t -l target -x -d 'color target N of the draw'
complete -c dp2 -n '__dp2_verb shot' -s s -l surface -x -d 'this surface, as \'dp2 draws\' and \'dp2 textures\' number them, whatever the draw draws to'
complete -c dp2 -n '__dp2_verb shot' -s b -l before -d 'as it was before the draw'
complete -c dp2 -n '__dp2_verb shot' -s w -l width -x -d 'a picture at most this wide, each pixel the mean of those that it stands for'
complete -c dp2 -n '__dp2_verb shot' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a pixel -d 'print the history of a pixel'
complete -c dp2 -n '__dp2_verb pixel' -F
complete -c dp2 -n '__dp2_verb pixel' -s f -l frame -x -d 'the frame'
complete -c dp2 -n '__dp2_verb pixel' -l surface -x -d 'a pixel of this surface, as \'dp2 draws\' numbers targets'
complete -c dp2 -n '__dp2_verb pixel' -l why -x -d 'only this draw'
complete -c dp2 -n '__dp2_verb pixel' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a resources -d 'list what a draw reads and writes'
complete -c dp2 -n '__dp2_verb resources' -F
complete -c dp2 -n '__dp2_verb resources' -s x -l export -x -a '(__fish_complete_directories)' -d 'write a picture of each texture and target as PNG'
complete -c dp2 -n '__dp2_verb resources' -s w -l width -x -d 'pictures that fit into a square of this side'
complete -c dp2 -n '__dp2_verb resources' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a mesh -d 'list the primitives of a draw and their vertices'
complete -c dp2 -n '__dp2_verb mesh' -F
complete -c dp2 -n '__dp2_verb mesh' -s p -l primitives -x -d 'list only these primitives'
complete -c dp2 -n '__dp2_verb mesh' -l fetched -d 'also print what the streams hold for each vertex'
complete -c dp2 -n '__dp2_verb mesh' -l indices -d 'print only the indices, or the numbers of vertices, one line for each primitive'
complete -c dp2 -n '__dp2_verb mesh' -l inputs -d 'also print what the corners pass to the pixel program'
complete -c dp2 -n '__dp2_verb mesh' -l json -d 'print JSON'
complete -c dp2 -n '__dp2_verb mesh' -s o -l output -r -F -d 'write the mesh instead'
complete -c dp2 -n '__dp2_verb mesh' -l space -x -a 'fetched window' -d 'positions in the file'

complete -c dp2 -n __fish_is_first_token -a buffer -d 'show the vertices and indices of a draw, or bytes, as a table'
complete -c dp2 -n '__dp2_verb buffer' -F
complete -c dp2 -n '__dp2_verb buffer' -s s -l stream -x -d 'the vertices that the draw reads from this stream'
complete -c dp2 -n '__dp2_verb buffer' -s i -l indices -d 'its indices'
complete -c dp2 -n '__dp2_verb buffer' -l surface -x -d 'the bytes of this surface or buffer, after the draw'
complete -c dp2 -n '__dp2_verb buffer' -s l -l layout -x -d 'these columns'
complete -c dp2 -n '__dp2_verb buffer' -l stride -x -d 'bytes from row to row'
complete -c dp2 -n '__dp2_verb buffer' -l offset -x -d 'bytes before row 0'
complete -c dp2 -n '__dp2_verb buffer' -s r -l rows -x -d 'only these rows'
complete -c dp2 -n '__dp2_verb buffer' -s o -l output -r -F -d 'write a file'
complete -c dp2 -n '__dp2_verb buffer' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a trace -d 'trace a program of a draw for a pixel or a vertex'
complete -c dp2 -n '__dp2_verb trace' -F
complete -c dp2 -n '__dp2_verb trace' -l vertex -x -d 'trace vertex N, as \'dp2 mesh\' numbers vertices, instead of a pixel'
complete -c dp2 -n '__dp2_verb trace' -l primitive -x -d 'trace only this primitive'
complete -c dp2 -n '__dp2_verb trace' -l quad -d 'print the values of all four pixels of the quad, from which derivatives are computed'
complete -c dp2 -n '__dp2_verb trace' -l optimized -d 'trace a shader as it runs, after the optimizer'
complete -c dp2 -n '__dp2_verb trace' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a textures -d 'list textures and targets, who uses them, and save them'
complete -c dp2 -n '__dp2_verb textures' -F
complete -c dp2 -n '__dp2_verb textures' -s f -l frame -x -d 'the frame'
complete -c dp2 -n '__dp2_verb textures' -s s -l surface -x -d 'list only the texture that this surface belongs to'
complete -c dp2 -n '__dp2_verb textures' -s o -l output -r -F -d 'write a contact sheet as PNG'
complete -c dp2 -n '__dp2_verb textures' -s x -l export -x -a '(__fish_complete_directories)' -d 'write the contents into files'
complete -c dp2 -n '__dp2_verb textures' -l dds -d 'write DDS instead, one file for each texture with all of its levels'
complete -c dp2 -n '__dp2_verb textures' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a profile -d 'show where the time of frames goes'
complete -c dp2 -n '__dp2_verb profile' -F
complete -c dp2 -n '__dp2_verb profile' -s f -l frame -x -d 'profile only these frames'
complete -c dp2 -n '__dp2_verb profile' -s n -l loops -x -d 'measure N times'
complete -c dp2 -n '__dp2_verb profile' -l threads -x -d 'number of the driver\'s threads, like HALCYON_THREADS'
complete -c dp2 -n '__dp2_verb profile' -l by -x -a 'phase draw shader state frame scene' -d 'print only this table'
complete -c dp2 -n '__dp2_verb profile' -l top -x -d 'print N rows of a table'
complete -c dp2 -n '__dp2_verb profile' -l chrome-trace -r -F -d 'write a trace of all threads, for Perfetto or chrome://tracing'
complete -c dp2 -n '__dp2_verb profile' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a compare -d 'say how much two captures or pictures differ, and from which draw on'
complete -c dp2 -n '__dp2_verb compare' -F
complete -c dp2 -n '__dp2_verb compare' -s t -l tolerance -x -d 'difference of two channels that still counts as equal, of 255'
complete -c dp2 -n '__dp2_verb compare' -s o -l output -r -F -d 'write a picture of the difference of the pictures, or of the first frame that differs'
complete -c dp2 -n '__dp2_verb compare' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a diff -d 'find where two captures differ: tokens, pictures'
complete -c dp2 -n '__dp2_verb diff' -F
complete -c dp2 -n '__dp2_verb diff' -s o -l output -r -F -d 'write a picture of the difference'
complete -c dp2 -n '__dp2_verb diff' -l tokens -d 'compare only events and tokens'
complete -c dp2 -n '__dp2_verb diff' -l pixels -d 'compare only pictures'
complete -c dp2 -n '__dp2_verb diff' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a farm -d 'replay many captures on many machines, and report what differs'
complete -c dp2 -n '__dp2_verb farm' -F
complete -c dp2 -n '__dp2_verb farm' -s o -l output -x -a '(__fish_complete_directories)' -d 'plan'
complete -c dp2 -n '__dp2_verb farm' -s s -l shards -x -d 'plan'
complete -c dp2 -n '__dp2_verb farm' -s b -l baseline -x -a '(__fish_complete_directories)' -d 'plan'
complete -c dp2 -n '__dp2_verb farm' -l before -r -F -d 'plan'
complete -c dp2 -n '__dp2_verb farm' -l threads -x -d 'plan'
complete -c dp2 -n '__dp2_verb farm' -l timeout -x -d 'plan'
complete -c dp2 -n '__dp2_verb farm' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a dump -d 'print events and tokens as text or JSON'
complete -c dp2 -n '__dp2_verb dump' -F
complete -c dp2 -n '__dp2_verb dump' -s f -l frame -x -d 'print only these frames'
complete -c dp2 -n '__dp2_verb dump' -s v -l verbose -d 'print every entry of every token on its own line'
complete -c dp2 -n '__dp2_verb dump' -l vertices -d 'print vertices from user memory, and bytes that are written to surfaces'
complete -c dp2 -n '__dp2_verb dump' -l shaders -d 'print the code of shaders as assembly, in comments'
complete -c dp2 -n '__dp2_verb dump' -l tokens-only -d 'print only DrawPrimitives2 calls'
complete -c dp2 -n '__dp2_verb dump' -l asm -d 'print everything, so that \'dp2 asm\' makes the same capture from it'
complete -c dp2 -n '__dp2_verb dump' -l json -d 'print everything as JSON'
complete -c dp2 -n '__dp2_verb dump' -l ddi -x -a 'dx9 umd' -d 'umd'
complete -c dp2 -n '__dp2_verb dump' -l bytes -d 'print the bytes of each token too'

complete -c dp2 -n __fish_is_first_token -a asm -d 'make a capture from text'
complete -c dp2 -n '__dp2_verb asm' -F
complete -c dp2 -n '__dp2_verb asm' -s o -l output -r -F -d 'write the capture to FILE'
complete -c dp2 -n '__dp2_verb asm' -l json -d 'print the lines of events and commands as JSON'

complete -c dp2 -n __fish_is_first_token -a import -d 'make a capture of an apitrace trace'
complete -c dp2 -n '__dp2_verb import' -F
complete -c dp2 -n '__dp2_verb import' -s o -l output -r -F -d 'the capture to write'
complete -c dp2 -n '__dp2_verb import' -l check -d 'read the trace and list what is not understood'
complete -c dp2 -n '__dp2_verb import' -l json -d 'print JSON'
complete -c dp2 -n '__dp2_verb import' -s p -l prefix -x -a '(__fish_complete_directories)' -d 'the Wine prefix to use'
complete -c dp2 -n '__dp2_verb import' -l wine -r -F -d 'the Wine to use'
complete -c dp2 -n '__dp2_verb import' -l dlls -x -a '(__fish_complete_directories)' -d 'the folder with Halcyon\'s dlls and halcyon-import.exe, or with x64 in it'

complete -c dp2 -n __fish_is_first_token -a trim -d 'make a capture of some frames'
complete -c dp2 -n '__dp2_verb trim' -F
complete -c dp2 -n '__dp2_verb trim' -s f -l frame -x -d 'keep these frames'
complete -c dp2 -n '__dp2_verb trim' -s o -l output -r -F -d 'write the capture to FILE'
complete -c dp2 -n '__dp2_verb trim' -l check -d 'replay the frames from both files and compare their pictures'
complete -c dp2 -n '__dp2_verb trim' -l no-check -d 'do not compare pictures'
complete -c dp2 -n '__dp2_verb trim' -l full -d 'also keep all calls of earlier frames, but not their pictures'
complete -c dp2 -n '__dp2_verb trim' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a minimise -d 'make the smallest capture that still does something'
complete -c dp2 -n '__dp2_verb minimise' -F
complete -c dp2 -n '__dp2_verb minimise' -s k -l keep -x -a '(__fish_complete_command)' -d 'the command for sh that must succeed'
complete -c dp2 -n '__dp2_verb minimise' -s p -l keep-pixel -x -d 'the pixel of the picture of FRAME that must keep its colour'
complete -c dp2 -n '__dp2_verb minimise' -s o -l output -r -F -d 'write the capture to FILE'
complete -c dp2 -n '__dp2_verb minimise' -l timeout -x -d 'how long COMMAND may take'
complete -c dp2 -n '__dp2_verb minimise' -l tries -x -d 'stop after N tries'
complete -c dp2 -n '__dp2_verb minimise' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a edit -d 'change states or shaders of a capture'
complete -c dp2 -n '__dp2_verb edit' -F
complete -c dp2 -n '__dp2_verb edit' -s s -l set -x -d 'put a command that sets states before each draw, written as \'dp2 dump FILE\' prints it'
complete -c dp2 -n '__dp2_verb edit' -l vertex-shader -r -F -d 'replace the code of this vertex shader, wherever it is created, by the assembly text in FILE'
complete -c dp2 -n '__dp2_verb edit' -l pixel-shader -r -F -d 'replace the code of this pixel shader, in the same way'
complete -c dp2 -n '__dp2_verb edit' -s a -l at -x -d 'change only this draw'
complete -c dp2 -n '__dp2_verb edit' -s o -l output -r -F -d 'write the changed capture to FILE'
complete -c dp2 -n '__dp2_verb edit' -s p -l picture -r -F -d 'write the picture of a frame as PNG'
complete -c dp2 -n '__dp2_verb edit' -s f -l frame -x -d 'the frame of the picture'
complete -c dp2 -n '__dp2_verb edit' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a coverage -d 'show which pixels a primitive covers, as text, JSON or a picture'
complete -c dp2 -n '__dp2_verb coverage' -F
complete -c dp2 -n '__dp2_verb coverage' -l viewport -x -d 'size of viewport and target, 1 to 8192 each'
complete -c dp2 -n '__dp2_verb coverage' -l space -x -a 'ndc pixel clip' -d 'coordinates of points'
complete -c dp2 -n '__dp2_verb coverage' -l mode -x -a 'standard conservative' -d 'rasterization'
complete -c dp2 -n '__dp2_verb coverage' -l tier -x -a '1 2 3' -d 'tier of conservative rasterization, 1, 2 or 3'
complete -c dp2 -n '__dp2_verb coverage' -l inner -d 'show inner coverage too'
complete -c dp2 -n '__dp2_verb coverage' -l samples -x -a '1 2 4 8 16' -d 'samples of a pixel'
complete -c dp2 -n '__dp2_verb coverage' -l cull -x -a 'none front back both' -d 'faces that are culled'
complete -c dp2 -n '__dp2_verb coverage' -l clip-plane -x -d 'define and enable one more of eight user planes'
complete -c dp2 -n '__dp2_verb coverage' -l state -x -d 'set any field of the rasterizer state'
complete -c dp2 -n '__dp2_verb coverage' -l json -d 'print one JSON object'
complete -c dp2 -n '__dp2_verb coverage' -l png -r -F -d 'write a picture'
complete -c dp2 -n '__dp2_verb coverage' -l zoom -x -d 'pixels of the picture for each cell'
complete -c dp2 -n '__dp2_verb coverage' -l show -x -a 'coverage color depth' -d 'what the colours of cells stand for'
complete -c dp2 -n '__dp2_verb coverage' -l gain -x -d 'make corners N times as bright, and show them darker by the same factor'
complete -c dp2 -n '__dp2_verb coverage' -l vertex-size -x -d 'size of the points themselves, for point_size_per_vertex'
complete -c dp2 -n '__dp2_verb coverage' -l stdin -d 'read primitives from standard input, as in a FILE'
complete -c dp2 -n '__dp2_verb coverage' -l point -x -d 'draw a point'
complete -c dp2 -n '__dp2_verb coverage' -l line -x -d 'draw a line'
complete -c dp2 -n '__dp2_verb coverage' -l tri -x -d 'draw a triangle'
complete -c dp2 -n '__dp2_verb coverage' -l line-strip -x -d 'draw a strip of lines through up to 16 points'
complete -c dp2 -n '__dp2_verb coverage' -l tri-strip -x -d 'draw a strip of triangles with up to 16 points'
complete -c dp2 -n '__dp2_verb coverage' -l fan -x -d 'draw a fan of triangles with up to 16 points'
complete -c dp2 -n '__dp2_verb coverage' -l quad -x -d 'draw a quadrilateral'
complete -c dp2 -n '__dp2_verb coverage' -l polygon -x -d 'draw a polygon with up to 16 points'

complete -c dp2 -n __fish_is_first_token -a shader -d 'show shader bytecode as assembly text and as IR'
complete -c dp2 -n '__dp2_verb shader' -F
complete -c dp2 -n '__dp2_verb shader' -l stdin -d 'read standard input'
complete -c dp2 -n '__dp2_verb shader' -l asm -d 'print assembly text'
complete -c dp2 -n '__dp2_verb shader' -l ir -d 'print the program in the driver\'s own instructions, as it runs'
complete -c dp2 -n '__dp2_verb shader' -l ir-plain -d 'print the same program before optimization'
complete -c dp2 -n '__dp2_verb shader' -l info -d 'print what the shader reads, writes and needs'
complete -c dp2 -n '__dp2_verb shader' -l tokens -d 'print the tokens in hexadecimal'
complete -c dp2 -n '__dp2_verb shader' -l check -d 'print all rules of the API that the shader breaks, and whether it is created nevertheless'
complete -c dp2 -n '__dp2_verb shader' -l json -d 'print what these options print as JSON'

complete -c dp2 -n __fish_is_first_token -a feedback -d 'show which parts of the textures are ever sampled'
complete -c dp2 -n '__dp2_verb feedback' -F
complete -c dp2 -n '__dp2_verb feedback' -s f -l frame -x -d 'count only what these frames sample'
complete -c dp2 -n '__dp2_verb feedback' -s o -l output -x -a '(__fish_complete_directories)' -d 'write a heat map of each texture, DIR/texture-N.png'
complete -c dp2 -n '__dp2_verb feedback' -l json -d 'print JSON'
complete -c dp2 -n '__dp2_verb feedback' -l hash -d 'print a line \'FRAME WIDTHxHEIGHT HASH\' for each frame instead, as replay does'

complete -c dp2 -n __fish_is_first_token -a caps -d 'print what the driver reports'
complete -c dp2 -n '__dp2_verb caps' -l json -d 'print JSON'

complete -c dp2 -n __fish_is_first_token -a tokens -d 'list all tokens'
complete -c dp2 -n '__dp2_verb tokens' -l markdown -d 'print the table of docs/tokens.md, which also says who sends each token'
complete -c dp2 -n '__dp2_verb tokens' -l json -d 'print JSON'
complete -c dp2 -n '__dp2_verb tokens' -l words -d 'add the words of the text notation, with the values that each field may have, for editors'
