/* SPDX-License-Identifier: MIT */
/*
 * Vertex declarations as data: the rules for their elements, and conversion from and to flexible vertex formats. Does
 * not use objects of the API. Sources: d3d9types.h; DirectX 9 documentation, "Mapping FVF Codes to a DirectX 9
 * Declaration"; Wine's test_fvf_decl_conversion.
 */
#ifndef HALCYON_RUNTIME_D3D9_SHADER_ELEMENTS_H
#define HALCYON_RUNTIME_D3D9_SHADER_ELEMENTS_H

#include <stdint.h>

#include <windows.h>

#include <d3d9.h>

/* Without the end. */
#define D3D9_MAX_ELEMENTS 64
/* The most that a flexible vertex format has: position, weights, indices, normal, size, two colours, eight coordinates,
 * and the end. */
#define D3D9_MAX_FVF_ELEMENTS 16

/* D3D_OK, and in *count the elements without the end. D3DERR_INVALIDCALL: more than D3D9_MAX_ELEMENTS; E_FAIL: an
 * invalid element (an offset that is not a multiple of 4; a type, method, usage or stream that does not exist). */
HRESULT d3d9_elements_check(const D3DVERTEXELEMENT9 *elements, unsigned *count);

/* Elements of a vertex of the format, packed in stream 0, and the end; returns their number, including the end. 0:
 * no such format
 * (more than eight sets of coordinates). */
unsigned d3d9_elements_of_fvf(DWORD fvf, D3DVERTEXELEMENT9 elements[D3D9_MAX_FVF_ELEMENTS]);

/* The format whose elements these are, in the same order and with nothing between them; 0: there is none. */
DWORD d3d9_fvf_of_elements(const D3DVERTEXELEMENT9 *elements, unsigned count);

/* The result of GetFVF while a declaration with these elements is set: XYZ or XYZRHW if the position is the only
 * element, else 0, whatever d3d9_fvf_of_elements returns. */
DWORD d3d9_told_fvf(const D3DVERTEXELEMENT9 *elements, unsigned count);

/* Bytes from the start of a vertex in stream 0 to the end of its last element there; 0: no element is in that stream. */
unsigned d3d9_elements_bytes(const D3DVERTEXELEMENT9 *elements, unsigned count);

/* Bytes of a value of a D3DDECLTYPE; 0 for UNUSED and unknown types. */
unsigned d3d9_element_size(BYTE type);

#endif
