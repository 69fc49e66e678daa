# SPDX-License-Identifier: MIT
# fish completion for halcyon, made by scripts/manual from the tables of its verbs; do not edit

# The verb of the command line is one of these.
function __halcyon_verb
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c halcyon -f
complete -c halcyon -n __fish_is_first_token -l help -d 'print all verbs'
complete -c halcyon -n __fish_is_first_token -l version -d 'print the version'
complete -c halcyon -n __fish_is_first_token -a help -d 'explain a verb'
complete -c halcyon -n __fish_is_first_token -a version -d 'print the version'
complete -c halcyon -n '__halcyon_verb help' -a 'run doctor install uninstall'
complete -c halcyon -n '__halcyon_verb run doctor install uninstall' -l help -d 'print the help of this verb'

complete -c halcyon -n __fish_is_first_token -a run -d 'run a program, drawn by Halcyon'
complete -c halcyon -n '__halcyon_verb run' -F
complete -c halcyon -n '__halcyon_verb run' -l hud -d 'show figures over the picture'
complete -c halcyon -n '__halcyon_verb run' -l capture -d 'record what the program draws'
complete -c halcyon -n '__halcyon_verb run' -l capture-frames -x -d 'record only these frames, as 10,101-200'
complete -c halcyon -n '__halcyon_verb run' -l capture-exit -d 'end the program when these frames are recorded'
complete -c halcyon -n '__halcyon_verb run' -l debug -d 'serve a page, for this user and while the program runs, that shows frames which F11 captures, and pauses and steps the program'
complete -c halcyon -n '__halcyon_verb run' -l screenshot -x -d 'save these frames as PNG'
complete -c halcyon -n '__halcyon_verb run' -l fps -x -d 'frames per second at most'
complete -c halcyon -n '__halcyon_verb run' -l threads -x -d 'number of threads that draw'
complete -c halcyon -n '__halcyon_verb run' -l cpu -x -a 'auto scalar sse2 avx2 avx512' -d 'widest SIMD instructions'
complete -c halcyon -n '__halcyon_verb run' -l log-level -x -a 'none error warn info debug trace' -d 'what is logged'
complete -c halcyon -n '__halcyon_verb run' -l ddraw -x -a 'auto on off' -d 'DirectDraw by Halcyon'
complete -c halcyon -n '__halcyon_verb run' -l set -x -d 'any setting of halcyon.conf(5)'
complete -c halcyon -n '__halcyon_verb run' -s o -l output -x -a '(__fish_complete_directories)' -d 'folder for log, captures and pictures'
complete -c halcyon -n '__halcyon_verb run' -s p -l prefix -x -a '(__fish_complete_directories)' -d 'the Wine prefix'
complete -c halcyon -n '__halcyon_verb run' -l wine -r -F -d 'the Wine to use'
complete -c halcyon -n '__halcyon_verb run' -l dlls -x -a '(__fish_complete_directories)' -d 'the folder with Halcyon\'s dlls, or with x32 and x64 in it'
complete -c halcyon -n '__halcyon_verb run' -l here -d 'start in the current folder, not in that of the program'
complete -c halcyon -n '__halcyon_verb run' -l dry-run -d 'print what would be run, and do not run it'
complete -c halcyon -n '__halcyon_verb run' -s q -l quiet -d 'print only what is wrong'

complete -c halcyon -n __fish_is_first_token -a doctor -d 'check all that programs need, and draw test pictures'
complete -c halcyon -n '__halcyon_verb doctor' -l dlls -x -a '(__fish_complete_directories)' -d 'the folder with x32 and x64 in it'
complete -c halcyon -n '__halcyon_verb doctor' -l json -d 'print a JSON document'
complete -c halcyon -n '__halcyon_verb doctor' -s p -l prefix -x -a '(__fish_complete_directories)' -d 'the Wine prefix'
complete -c halcyon -n '__halcyon_verb doctor' -l wine -r -F -d 'the Wine to use'

complete -c halcyon -n __fish_is_first_token -a install -d 'put the dlls into a Wine prefix'
complete -c halcyon -n '__halcyon_verb install' -a '(__fish_complete_directories)'
complete -c halcyon -n '__halcyon_verb install' -l ddraw -x -a 'off on' -d 'on'
complete -c halcyon -n '__halcyon_verb install' -l dlls -x -a '(__fish_complete_directories)' -d 'the folder with x32 and x64 in it'

complete -c halcyon -n __fish_is_first_token -a uninstall -d 'take them out of it'
complete -c halcyon -n '__halcyon_verb uninstall' -a '(__fish_complete_directories)'
