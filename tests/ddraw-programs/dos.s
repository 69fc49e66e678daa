# SPDX-License-Identifier: MIT
# ANIMATE.COM, a program for DOS that tests/ddraw-programs/endure runs again and again in DOSBox: 140 frames of mode 13h,
# 320x200 with 256 colours, each with other pixels and another palette, then text mode.
        .intel_syntax noprefix
        .code16
        .globl _start
_start:
        mov     ax, 0x0013
        int     0x10
        mov     ax, 0xa000
        mov     es, ax
        mov     bp, 140                 # frames that remain
frame:
        xor     di, di
        xor     bx, bx                  # row
row:
        xor     cx, cx                  # column
column:
        mov     ax, cx
        xor     ax, bx
        add     ax, bp
        stosb
        inc     cx
        cmp     cx, 320
        jb      column
        inc     bx
        cmp     bx, 200
        jb      row

        mov     dx, 0x3da               # vertical retrace of the VGA: its end, then its beginning
end_of_retrace:
        in      al, dx
        test    al, 8
        jnz     end_of_retrace
retrace:
        in      al, dx
        test    al, 8
        jz      retrace

        mov     dx, 0x3c8               # all 256 colours of the palette, from number 0
        xor     al, al
        out     dx, al
        inc     dx
        xor     cx, cx
colour:
        mov     ax, cx
        add     ax, bp
        out     dx, al                  # red: 6 bits of each count
        shr     al, 1
        out     dx, al
        mov     al, cl
        shr     al, 2
        out     dx, al
        inc     cx
        cmp     cx, 256
        jb      colour

        dec     bp
        jnz     frame

        mov     ax, 0x0003
        int     0x10
        mov     ax, 0x4c00
        int     0x21
