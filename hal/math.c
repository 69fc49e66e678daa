/* SPDX-License-Identifier: MIT */
/* The cosine and the matrices of the vertex stages, from basic double operations. */
#include "hal/math.h"

#include "hal/state/values.h"

#include <string.h>

#define LN2 0.69314718055994530942
#define PI  3.14159265358979323846

float hal_cosf(float x)
{
    const double turns = (double)x / (2.0 * PI);

    if (!(turns > -1e6 && turns < 1e6))
        return 0.0f;
    const double a = (turns - (double)(int64_t)(turns + (turns < 0 ? -0.5 : 0.5))) * 2.0 * PI;
    const double a2 = a * a; /* |a| <= pi: 14 terms leave 1e-15 */
    double sum = 1.0;

    for (int n = 28; n >= 2; n -= 2)
        sum = 1.0 - sum * a2 / (n * (n - 1));
    return (float)sum;
}

void hal_matrix_identity(struct hal_matrix *m)
{
    memset(m, 0, sizeof(*m));
    for (int i = 0; i < 4; i++)
        m->m[i][i] = 1.0f;
}

void hal_matrix_multiply(struct hal_matrix *out, const struct hal_matrix *a, const struct hal_matrix *b)
{
    struct hal_matrix r;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;

            for (int k = 0; k < 4; k++)
                sum += (double)a->m[i][k] * b->m[k][j];
            r.m[i][j] = (float)sum;
        }
    }
    *out = r;
}

/* Gauss-Jordan with partial pivoting on [m | identity]. */
bool hal_matrix_invert(struct hal_matrix *out, const struct hal_matrix *m)
{
    double w[4][8] = {{0}};

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            w[i][j] = m->m[i][j];
        w[i][4 + i] = 1.0;
    }
    for (int column = 0; column < 4; column++) {
        int pivot = column;

        for (int i = column + 1; i < 4; i++)
            if (__builtin_fabs(w[i][column]) > __builtin_fabs(w[pivot][column]))
                pivot = i;
        if (!(__builtin_fabs(w[pivot][column]) > 1e-30))
            return false;
        for (int j = 0; j < 8; j++) {
            const double t = w[pivot][j];

            w[pivot][j] = w[column][j];
            w[column][j] = t;
        }
        const double scale = 1.0 / w[column][column];

        for (int j = 0; j < 8; j++)
            w[column][j] *= scale;
        for (int i = 0; i < 4; i++) {
            const double factor = w[i][column];

            for (int j = 0; i != column && j < 8; j++)
                w[i][j] -= factor * w[column][j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out->m[i][j] = (float)w[i][4 + j];
    return true;
}

void hal_matrix_normal(float out[3][3], const struct hal_matrix *m)
{
    double cofactor[3][3], determinant = 0.0;
    struct hal_matrix inverse;

    /* A matrix with a perspective part turns normals by the inverse of all of it (Wine's
     * lighting_test, non-affine world matrix). */
    if ((m->m[0][3] != 0 || m->m[1][3] != 0 || m->m[2][3] != 0 || m->m[3][3] != 1) && hal_matrix_invert(&inverse, m)) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out[i][j] = inverse.m[j][i];
        return;
    }
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;

        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;

            cofactor[i][j] = (double)m->m[i1][j1] * m->m[i2][j2] - (double)m->m[i1][j2] * m->m[i2][j1];
        }
    }
    for (int j = 0; j < 3; j++)
        determinant += m->m[0][j] * cofactor[0][j];
    const bool singular = !(__builtin_fabs(determinant) > 1e-30);

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = singular ? (float)(i == j) : (float)(cofactor[i][j] / determinant);
}
